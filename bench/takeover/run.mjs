// How long does a task stand still when its worker is killed? Two workers are up; the one that holds a build is ended with
// SIGKILL, and the time to the next claim is read from the log of the task. On PostgreSQL and Kafka, with the default lease.
//
//   npm run build && DATABASE_URL=postgres://…/any KAFKA_BROKERS=127.0.0.1:9092 node bench/takeover/run.mjs
//
// UPKEEP=0 leaves the timed passes out, so that only the workers themselves can notice. It makes a folder, a database and
// topics of its own and takes them away again. Linux only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../end-to-end/client.mjs';
import { makeDocument } from '../end-to-end/documents.mjs';
import { runAndClean } from '../end-to-end/run-and-clean.mjs';
import { ScratchDatabase, Service } from '../end-to-end/service.mjs';
import { createTopics, Part } from '../part.mjs';
import { median, table } from '../statistics.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const size = Number(process.env.SIZE ?? 400_000);
const goalMs = 12_000;
const lookEveryMs = 50;
const withUpkeep = process.env.UPKEEP !== '0';
const { DATABASE_URL: serverUrl, KAFKA_BROKERS: brokers = '127.0.0.1:9092' } = process.env;
const name = `bench-takeover-${process.pid}`;

await runAndClean(async (keep) => {
  const database = await keep(ScratchDatabase.create(serverUrl, name));
  const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
  await keep({ stop: () => rm(folder, { recursive: true, force: true }) });
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', DATABASE_URL: database.url, BROKER: 'kafka', KAFKA_BROKERS: brokers };
  Object.assign(env, { TOPIC_PREFIX: name, DATA_DIR: folder, EMBEDDING_PROCESSES: '1', LOG_LEVEL: 'error' });
  const topics = new Service(name, { KAFKA_BROKERS: brokers });
  await createTopics(env);
  await keep({ stop: () => topics.removeTopics() });
  const roles = withUpkeep ? 'api,relay,upkeep' : 'api,relay';
  const front = await keep(Part.start({ ...env, ROLES: roles }));
  const startWorker = () => keep(Part.start({ ...env, ROLES: 'worker' }));
  await Promise.all([startWorker(), startWorker()]);
  const client = new Client(front.url);
  const prepared = await client.prepare(makeDocument(size, Date.now() % 1e9), 'takeover.md');
  const gaps = [];
  for (let round = 0; round < rounds; round += 1) {
    gaps.push(await killHolder(client, prepared));
    if (round < rounds - 1) await startWorker();
  }
  report(gaps);
});

/** Gives the ms from the end of the holder to the next claim. */
async function killHolder(client, { documentId, planId }) {
  const { taskId } = await client.post('/index/build', { documentId, planId });
  const holder = await until(async () => {
    const task = await client.get(`/tasks/${taskId}`);
    if (task.nextPollMs === null) throw new Error('the build was over before its worker was killed: raise SIZE');
    if (!task.stages.some(({ stage, done }) => stage.name === 'VECTORIZE' && done > 0)) return undefined;
    const { items } = await client.get('/admin/workers');
    return items.find(({ holds }) => holds.some((held) => held.taskId === taskId));
  });
  process.kill(holder.pid, 'SIGKILL');
  const killedAt = Date.now();
  const claim = await until(async () => {
    const { items } = await client.get(`/tasks/${taskId}/logs?limit=200`);
    return items.filter(({ eventType }) => eventType === 'CLAIMED')[1];
  });
  await client.post(`/tasks/${taskId}/cancel`, {});
  return Date.parse(claim.at) - killedAt;
}

async function until(look) {
  for (;;) {
    const found = await look();
    if (found) return found;
    await pause(lookEveryMs);
  }
}

function report(gaps) {
  console.log(`\nFrom kill -9 of a worker to the next claim, lease 10 s, upkeep ${withUpkeep ? 'on' : 'off'}\n`);
  table(
    ['rounds', 'least ms', 'median ms', 'most ms'],
    [[gaps.length, Math.min(...gaps), median(gaps), Math.max(...gaps)]],
  );
  console.log(`\nat most lease + 2 s: ${Math.max(...gaps) <= goalMs ? 'holds' : 'DOES NOT HOLD'}`);
}
