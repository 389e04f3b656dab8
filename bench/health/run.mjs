// Is the API there for others while one large document is on its way? A process of its own asks for /health/live all the
// time while a Markdown file of 1 MB is uploaded, parsed and built: on the embedded defaults, and on PostgreSQL and Kafka
// if DATABASE_URL names a server.
//
//   npm run build && node bench/health/run.mjs
//   DATABASE_URL=postgres://…/any KAFKA_BROKERS=127.0.0.1:9092 node bench/health/run.mjs
//
// It makes folders, databases and topics of its own and takes them away again. Linux only.
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../end-to-end/child.mjs';
import { Client } from '../end-to-end/client.mjs';
import { makeDocument } from '../end-to-end/documents.mjs';
import { runAndClean } from '../end-to-end/run-and-clean.mjs';
import { ScratchDatabase, Service } from '../end-to-end/service.mjs';
import { percentile, table } from '../statistics.mjs';
import { MemoryWatch } from './memory-watch.mjs';
import { answersIn, phasesOf } from './phases.mjs';

const size = Number(process.env.SIZE ?? 1_000_000);
const everyMs = Number(process.env.EVERY_MS ?? 20);
const idleMs = 3_000;
const lookAtMemoryMs = 200;
const goal = { p99Ms: 100, treeMb: 1_500 };
const { DATABASE_URL: serverUrl, KAFKA_BROKERS: brokers = '127.0.0.1:9092' } = process.env;
const name = `bench-health-${process.pid}`;

await runAndClean((keep) => measureOn('the embedded defaults', {}, keep));
if (serverUrl) {
  await runAndClean(async (keep) => {
    const database = await keep(ScratchDatabase.create(serverUrl, name));
    await measureOn('PostgreSQL and Kafka', { DATABASE_URL: database.url, KAFKA_BROKERS: brokers }, keep);
  });
}

async function measureOn(title, env, keep) {
  const service = await keep(Service.start({ name, env }));
  const memory = new MemoryWatch(service.pid, lookAtMemoryMs);
  const { url, pid } = service;
  const prober = await keep(
    Child.start(new URL('./prober.mjs', import.meta.url), { url, pid, everyMs, paths: ['/health/live'] }),
  );
  const moments = await takeThrough(new Client(url));
  const samples = await prober.ask('end');
  report(title, phasesOf(moments), samples, memory.stop());
}

/** One document from its upload to SUCCESS. */
async function takeThrough(client) {
  const idleFrom = Date.now();
  const text = makeDocument(size, idleFrom % 1e9);
  await pause(idleMs);
  const { times, parse, ...prepared } = await client.prepare(text, 'large.md');
  const { task: build } = await client.build(prepared);
  return { idleFrom, uploadFrom: times.begun, uploadTo: times.uploaded, parse, build };
}

function report(title, phases, samples, peak) {
  const rows = phases.map((phase) => ({ phase, answers: answersIn(phase, samples) }));
  console.log(`\n${title}: GET /health/live every ${everyMs} ms beside a document of ${Math.round(size / 1e3)} KB\n`);
  table(
    ['phase', 's', 'answers', 'p50 ms', 'p99 ms', 'max ms', 'p99 not in line', 'max not in line'],
    rows.map(({ phase: { name, from, to }, answers }) => [
      name,
      ((to - from) / 1_000).toFixed(2),
      answers.length,
      ...[0.5, 0.99, 1].map((share) => millis(answers, share, took)),
      ...[0.99, 1].map((share) => millis(answers, share, tookOnCore)),
    ]),
  );
  console.log();
  judge(`p99 from upload to SUCCESS under ${goal.p99Ms} ms`, millis(rows.at(-1).answers, 0.99, took), goal.p99Ms, 'ms');
  judge(`process tree under ${goal.treeMb} MB`, Math.round(peak.totalMb), goal.treeMb, 'MB at its peak');
  console.log(peak.parts.map(({ program, mb }) => `${program} ${Math.round(mb)}`).join(', '));
}

function took({ tookMs }) {
  return tookMs;
}

/** What would be left if no other program had used the cores. */
function tookOnCore({ tookMs, inLineMs }) {
  return Math.max(0, tookMs - inLineMs);
}

function millis(answers, share, value) {
  return answers.length > 0 ? percentile(answers.map(value), share).toFixed(1) : '–';
}

function judge(what, value, limit, unit) {
  console.log(`${what}: ${value < limit ? 'holds' : 'DOES NOT HOLD'} (${value} ${unit})`);
}
