// Claims per second with 1, 2 and 4 workers, each a process of its own, as messages lead to them: each worker gets a share of
// the tasks, or every worker gets every task, as after a rebalance. Against the least UPDATE that claims, without a log line.
//
//   npm run build && DATABASE_URL=postgres://…/any node bench/claims/run.mjs
//
// It makes a database of its own and takes it away again. Rounds are interleaved; the table gives medians over rounds.
import pg from 'pg';
import { postgresConnection } from '../../dist/src/database/connection.js';
import { migrate } from '../../dist/src/database/migrate.js';
import { Child } from '../end-to-end/child.mjs';
import { runAndClean } from '../end-to-end/run-and-clean.mjs';
import { ScratchDatabase } from '../end-to-end/service.mjs';
import { median, table } from '../statistics.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const tasks = Number(process.env.TASKS ?? 8_000);
/** Claims that one worker has under way at once. */
const width = Number(process.env.WIDTH ?? 4);
const workerCounts = [1, 2, 4];
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const ids = Array.from({ length: tasks }, (_, i) => String(i + 1));
const variants = [
  { name: 'floor: one UPDATE by id', way: 'floor', share: true },
  { name: 'service, each task told to one worker', way: 'service', share: true },
  { name: 'service, each task told to all workers', way: 'service', share: false },
];

await runAndClean(async (keep) => {
  const database = await keep(ScratchDatabase.create(process.env.DATABASE_URL, `bench-claims-${process.pid}`));
  await migrate(postgresConnection(database.url, 2), silent);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await keep({ stop: () => pool.end() });
  const workers = [];
  for (let w = 0; w < Math.max(...workerCounts); w += 1) {
    const argument = { databaseUrl: database.url, workerId: `worker-${w}`, width };
    workers.push(await keep(Child.start(new URL('./claimant.mjs', import.meta.url), argument)));
  }
  const rates = new Map();
  for (let round = -1; round < rounds; round += 1) {
    for (const count of workerCounts) {
      for (const variant of variants) {
        await plantTasks(pool);
        const rate = await claimAll(variant, workers.slice(0, count));
        const key = `${variant.name}/${count}`;
        if (round >= 0) rates.set(key, [...(rates.get(key) ?? []), rate]);
      }
    }
  }
  console.log(`${rounds} rounds, ${tasks} tasks, ${width} claims under way in each worker; medians, claims a second`);
  const cells = ({ name }) => workerCounts.map((count) => median(rates.get(`${name}/${count}`)).toFixed(0));
  table(
    ['variant', ...workerCounts.map((count) => `${count} worker${count > 1 ? 's' : ''}`)],
    variants.map((variant) => [variant.name, ...cells(variant)]),
  );
});

/** Gives tasks claimed per second; each must have been claimed exactly once. */
async function claimAll({ way, share }, workers) {
  const portionOf = (w) => (share ? ids.filter((_, i) => i % workers.length === w) : ids);
  const startedAt = performance.now();
  const claimed = await Promise.all(workers.map((worker, w) => worker.ask({ way, taskIds: portionOf(w) })));
  const seconds = (performance.now() - startedAt) / 1000;
  const sum = claimed.reduce((a, b) => a + b, 0);
  if (sum !== tasks) throw new Error(`${tasks} tasks were claimed ${sum} times`);
  return tasks / seconds;
}

async function plantTasks(pool) {
  await pool.query('truncate task, task_log cascade');
  await pool.query(
    `insert into task (id, document_id, knowledge_base_id, task_type, task_status, current_stage, trigger_source, stages, max_retry_count)
     select g, g, 1, 1, 1, 2, 1, '[]', 3 from generate_series(1, $1::int) g`,
    [tasks],
  );
  await pool.query('vacuum analyze task');
  await pool.query('checkpoint');
}
