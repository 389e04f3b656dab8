// One worker's claims, in a process of its own, through the service's own repository or by the least statement that claims.
import { createDataSource } from '../../dist/src/database/data-source.js';
import { postgresConnection } from '../../dist/src/database/connection.js';
import { Database } from '../../dist/src/database/database.js';
import { TaskLeaseRepository } from '../../dist/src/database/repositories/task-lease-repository.js';

const { databaseUrl, workerId, width } = JSON.parse(process.argv[2]);
const leaseMs = 10_000;
const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const source = createDataSource(postgresConnection(databaseUrl, width), limits, silent);
await source.initialize();
const database = new Database(source, { preparedStatements: true });
const leases = new TaskLeaseRepository(database);

const ways = {
  service: async (taskId) => (await leases.claim(taskId, workerId, leaseMs)).type === 'claimed',
  floor: async (taskId) => {
    const sql = `update task set task_status = 2, attempt = attempt + 1, worker_id = $2,
                        lease_until = clock_timestamp() + $3 * interval '1 ms'
                  where id = $1 and task_status = 1 returning id`;
    return (await database.query(sql, [taskId, workerId, leaseMs], 'floor-claim')).length === 1;
  },
};

process.on('message', async ({ way, taskIds }) => {
  let claimed = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < taskIds.length) if (await ways[way](taskIds[next++])) claimed += 1;
    }),
  );
  process.send(claimed);
});
process.on('disconnect', () => source.destroy());
process.send('ready');
