// What do people who use the API notice of two workers that build? A process of its own asks for the pages that a front end
// shows (a document, its plan and preview, its task and log, the list, a search), first while nothing is built, then while both workers are
// busy. API and workers are processes of their own, on PostgreSQL and Kafka.
//
//   npm run build && DATABASE_URL=postgres://…/any KAFKA_BROKERS=127.0.0.1:9092 node bench/api/run.mjs
//
// It makes a folder, a database and topics of its own and takes them away again. Linux only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../end-to-end/child.mjs';
import { Client } from '../end-to-end/client.mjs';
import { makeDocument } from '../end-to-end/documents.mjs';
import { runAndClean } from '../end-to-end/run-and-clean.mjs';
import { ScratchDatabase, Service } from '../end-to-end/service.mjs';
import { createTopics, Part } from '../part.mjs';
import { median, percentile, table } from '../statistics.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const size = Number(process.env.SIZE ?? 800_000);
const everyMs = Number(process.env.EVERY_MS ?? 20);
/** Of one phase of a round. */
const lookMs = Number(process.env.LOOK_MS ?? 8_000);
const workers = 2;
const goal = 2;
const floorPath = '/floor';
const bareEveryMs = 40;
const { DATABASE_URL: serverUrl, KAFKA_BROKERS: brokers = '127.0.0.1:9092' } = process.env;
const name = `bench-api-${process.pid}`;

await runAndClean(async (keep) => {
  const env = await environment(keep);
  const front = await keep(Part.start({ ...env, ROLES: 'api,relay,upkeep' }));
  for (let w = 0; w < workers; w += 1) await keep(Part.start({ ...env, ROLES: 'worker' }));
  const client = new Client(front.url);
  const documents = [];
  for (let w = 0; w < workers; w += 1)
    documents.push(await client.prepare(makeDocument(size, Date.now() % 1e9), `${w}.md`));
  const { task } = await client.build(await client.prepare(makeDocument(20_000, 7), 'shown.md'));
  const paths = pagesOf(task);
  const bareArgument = { databaseUrl: env.DATABASE_URL, taskId: task.taskId };
  const bare = await keep(Child.start(new URL('./bare-server.mjs', import.meta.url), bareArgument));
  const startProber = (argument) => keep(Child.start(new URL('../health/prober.mjs', import.meta.url), argument));
  const look = async () => {
    const probers = await Promise.all([
      startProber({ url: front.url, pid: front.process.pid, everyMs, paths }),
      startProber({ ...bare.greeting, everyMs: bareEveryMs, paths: [floorPath] }),
    ]);
    await pause(lookMs);
    return (await Promise.all(probers.map((prober) => prober.ask('end')))).flat();
  };
  const results = [];
  for (let round = -1; round < rounds; round += 1) {
    const idle = await look();
    const tasks = await Promise.all(
      documents.map(({ documentId, planId }) => client.post('/index/build', { documentId, planId })),
    );
    await Promise.all(tasks.map(({ taskId }) => vectorizing(client, taskId)));
    const busy = await look();
    const live = await Promise.all(tasks.map(({ taskId }) => client.get(`/tasks/${taskId}`)));
    if (live.some(({ nextPollMs }) => nextPollMs === null)) throw new Error('a build was over too soon: raise SIZE');
    await Promise.all(tasks.map(({ taskId }) => client.post(`/tasks/${taskId}/cancel`, {})));
    await Promise.all(tasks.map(({ taskId }) => over(client, taskId)));
    if (round >= 0) results.push({ idle, busy }); // the first round warms up
  }
  report(paths, results);
});

function pagesOf({ taskId, documentId, planId }) {
  return [
    `/tasks/${taskId}`,
    `/tasks/${taskId}/logs`,
    `/documents/${documentId}`,
    '/documents?limit=20',
    `/documents/${documentId}/plans`,
    `/plans/${planId}`,
    `/index/build/checks?documentId=${documentId}&planId=${planId}`,
    '/health/live',
  ];
}

async function environment(keep) {
  const database = await keep(ScratchDatabase.create(serverUrl, name));
  const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
  await keep({ stop: () => rm(folder, { recursive: true, force: true }) });
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', DATABASE_URL: database.url, BROKER: 'kafka', KAFKA_BROKERS: brokers };
  Object.assign(env, { TOPIC_PREFIX: name, DATA_DIR: folder, EMBEDDING_PROCESSES: '1', LOG_LEVEL: 'error' });
  const topics = new Service(name, { KAFKA_BROKERS: brokers });
  await createTopics(env);
  await keep({ stop: () => topics.removeTopics() });
  return env;
}

async function vectorizing(client, taskId) {
  for (;;) {
    const { stages } = await client.get(`/tasks/${taskId}`);
    if (stages.some(({ stage, done }) => stage.name === 'VECTORIZE' && done > 0)) return;
    await pause(100);
  }
}

async function over(client, taskId) {
  while ((await client.get(`/tasks/${taskId}`)).nextPollMs !== null) await pause(100);
}

function report(paths, results) {
  const floor = rowOf('floor: a bare server, one statement', results, (path) => path === floorPath);
  const pages = paths.map((one) => rowOf(`GET ${one.replace(/\d{6,}/g, ':id')}`, results, (path) => path === one));
  const all = rowOf('all of the service', results, (path) => path !== floorPath);
  console.log(
    `\n${results.length} rounds of ${lookMs / 1000} s, a request every ${everyMs} ms; medians over rounds, ms\n`,
  );
  table(
    ['request', 'p50 idle', `p50 beside ${workers} builds`, 'p99 idle', `p99 beside ${workers} builds`, 'p99 ratio'],
    [floor, ...pages, all].map(({ cells }) => cells),
  );
  const verdict = all.ratio <= goal ? 'holds' : 'DOES NOT HOLD';
  console.log(
    `\np99 at most ${goal} of idle: ${verdict} (${all.ratio.toFixed(2)}; the floor: ${floor.ratio.toFixed(2)})`,
  );
}

function rowOf(title, results, wanted) {
  const at = (share, samples) =>
    percentile(
      samples.filter((sample) => wanted(sample.path)).map(({ tookMs }) => tookMs),
      share,
    );
  const over = (value) => median(results.map(value));
  const ratio = over(({ idle, busy }) => at(0.99, busy) / at(0.99, idle));
  const cells = [0.5, 0.99].flatMap((share) => [
    over(({ idle }) => at(share, idle)),
    over(({ busy }) => at(share, busy)),
  ]);
  return { ratio, cells: [title, ...cells.map((ms) => ms.toFixed(1)), ratio.toFixed(2)] };
}
