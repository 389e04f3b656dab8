import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import { firstReached, type FaultyProcess } from './faulty-process.js';
import {
  buildFailpoints,
  namesOf,
  parseFailpoints,
  relayFailpoints,
  upkeepFailpoints,
  type FailpointName,
} from './failpoints.js';

let bench: FaultBench;
let api: ApiClient;
let workers: FaultyProcess[];
let support: FaultyProcess;
let expected: unknown[];
let copies = 0;
/** Workers that are lost beside what a test looks at. */
const losses: Promise<void>[] = [];

beforeAll(async () => {
  bench = await FaultBench.open();
  const front = await bench.start('api');
  api = new ApiClient(front.service.baseUrl);
  [support, ...workers] = await Promise.all([
    bench.start('relay,upkeep'),
    bench.start('worker'),
    bench.start('worker'),
  ]);
  const documentId = await built();
  expected = await servedRows(bench.database, documentId);
  expect(expected.length).toBeGreaterThan(8);
}, 240_000);

afterAll(() => bench.close(), 60_000);

afterEach(async () => {
  await Promise.all(losses.splice(0));
  await completeWorkers();
}, 60_000);

/** Uploads and builds one more copy, as a person would; whatever is struck meanwhile. */
async function built(): Promise<Id> {
  copies += 1;
  const { documentId, planId } = await api.confirmed(`copy-${copies}.md`, faultText(copies));
  const { status, body } = await api.build(documentId, planId);
  expect(status).toBe(202);
  bench.accepted.push(at<Id>(body, 'taskId'));
  await bench.settle();
  return documentId;
}

/** The end is that of a run without faults, and nothing is left over. */
async function endsAsUndisturbed(documentId: Id): Promise<void> {
  expect(await bench.violations()).toEqual([]);
  expect(await servedRows(bench.database, documentId)).toEqual(expected);
}

/** Another process comes while the work already goes on elsewhere. */
async function replace(dead: FaultyProcess): Promise<void> {
  await dead.service.ended();
  await completeWorkers();
}

async function completeWorkers(): Promise<void> {
  workers = workers.filter((worker) => worker.alive);
  while (workers.length < 2) workers.push(await bench.start('worker'));
}

async function killsAWorker(name: FailpointName): Promise<void> {
  for (const worker of workers) worker.arm(name);
  const killed = firstReached(workers, name).then(replace);
  const [documentId] = await Promise.all([built(), killed]);
  await endsAsUndisturbed(documentId);
}

describe('a worker that is killed while it parses leaves a document that ends as if undisturbed', () => {
  it.each(namesOf(parseFailpoints))('%s', killsAWorker, 120_000);
});

describe('a worker that is killed while it builds leaves a document that ends as if undisturbed', () => {
  it.each(namesOf(buildFailpoints))('%s', killsAWorker, 120_000);
});

async function killsSupport(name: FailpointName, occasion: () => Promise<void>): Promise<void> {
  support.arm(name);
  const killed = support.reached(name).then(async () => {
    await support.service.ended();
    support = await bench.start('relay,upkeep');
    for (const worker of workers) worker.service.signal('SIGCONT');
  });
  await occasion();
  const [documentId] = await Promise.all([built(), killed]);
  await endsAsUndisturbed(documentId);
}

describe('a relay that is killed sends again what it had not marked', () => {
  it.each(namesOf(relayFailpoints))('%s', (name) => killsSupport(name, () => Promise.resolve()), 120_000);
});

describe('upkeep that is killed is carried on by the next', () => {
  it.each(namesOf(upkeepFailpoints))('%s', (name) => killsSupport(name, occasions[name]), 120_000);
});

/** What gives each pass something to do. */
const occasions: Readonly<Record<keyof typeof upkeepFailpoints, () => Promise<void>>> = {
  'upkeep: lost task found': loseAWorker,
  'upkeep: lost task taken back, not committed': loseAWorker,
  'upkeep: due retry marked, not sent': loseAWorker,
  'upkeep: unclaimed task marked, not sent': pauseWorkers,
  'upkeep: old version found': buildTwice,
  'upkeep: old version emptied': buildTwice,
};

/** The others are paused, so that none of them finds the task by itself. */
function loseAWorker(): Promise<void> {
  for (const worker of workers) worker.arm('build: claimed');
  losses.push(
    firstReached(workers, 'build: claimed').then(async (lost) => {
      await lost.service.ended();
      workers = workers.filter((worker) => worker.alive);
      await pauseWorkers();
    }),
  );
  return Promise.resolve();
}

/** Nobody claims what is sent meanwhile. */
function pauseWorkers(): Promise<void> {
  for (const worker of workers) worker.service.signal('SIGSTOP');
  return Promise.resolve();
}

async function buildTwice(): Promise<void> {
  copies += 1;
  const { documentId, planId } = await api.confirmed(`twice-${copies}.md`, faultText(copies));
  for (let times = 0; times < 2; times += 1) {
    const { body } = await api.build(documentId, planId);
    bench.accepted.push(at<Id>(body, 'taskId'));
    await api.ended(at(body, 'taskId'));
  }
}
