import PgBoss from 'pg-boss';
import { PostgresQueueConsumers } from '../../dist/src/adapters/postgres-queue/postgres-queue-consumers.js';
import { PostgresQueuePublisher } from '../../dist/src/adapters/postgres-queue/postgres-queue-publisher.js';
import { postgresConnection } from '../../dist/src/database/connection.js';
import { createDataSource } from '../../dist/src/database/data-source.js';
import { Database } from '../../dist/src/database/database.js';
import { silentLogger } from '../../dist/src/logging/logger.js';
import { AdapterSide } from './adapter-side.mjs';

const poolSize = 10;
const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };

export async function open(prefix) {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL names a database that may be filled');
  const connection = postgresConnection(url, poolSize);
  const source = createDataSource(connection, limits, silentLogger);
  await source.initialize();
  const database = new Database(source, connection);
  const publisher = new PostgresQueuePublisher(database, { prefix }, silentLogger);
  await publisher.start();
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: poolSize });
  await boss.start();
  const queue = `${prefix}-by-hand`;
  await boss.createQueue(queue, { name: queue, policy: 'standard' });
  return {
    byHand: new PgBossByHand(boss, queue),
    adapter: new AdapterSide(publisher, new PostgresQueueConsumers(database, { prefix }, silentLogger)),
    async close() {
      await publisher.stop();
      const queues = (await boss.getQueues()).map(({ name }) => name).filter((name) => name.startsWith(prefix));
      for (const name of queues) await boss.deleteQueue(name);
      await boss.stop({ graceful: false });
      await source.destroy();
    },
  };
}

/** One `send` for every message; one fetched and deleted at a time, in no order. */
class PgBossByHand {
  constructor(boss, queue) {
    this.boss = boss;
    this.queue = queue;
  }

  send({ key, value, headers }) {
    return this.boss.send(this.queue, { value: JSON.stringify(value), headers }, { singletonKey: key });
  }

  consume(onMessage) {
    let stopped = false;
    const read = async () => {
      while (!stopped) {
        const [job] = await this.boss.fetch(this.queue);
        if (!job) break;
        onMessage();
        await this.boss.deleteJob(this.queue, job.id);
      }
    };
    const reading = read();
    return Promise.resolve(async () => {
      stopped = true;
      await reading;
    });
  }
}
