import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Answer } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';
import { announcedRandom } from './seeded-random.js';

const documents = 20;
/** Strikes in all; FAULT_KILLS asks for a longer run. */
const strikes = Number(process.env.FAULT_KILLS ?? 12);
const boundMs = 120_000 + strikes * 20_000;
const random = announcedRandom();

let bench: FaultBench;
let api: FaultyProcess;
let workers: FaultyProcess[];
let expected: unknown[];
let striking = true;

const startApi = (): Promise<FaultyProcess> => bench.start('api');
const startWorker = (): Promise<FaultyProcess> => bench.start('worker,relay,upkeep');

beforeAll(async () => {
  bench = await FaultBench.open();
  [api, ...workers] = await Promise.all([startApi(), startWorker(), startWorker()]);
  const { documentId, planId } = await client().confirmed('quiet.md', faultText());
  const { body } = await client().build(documentId, planId);
  bench.accepted.push(at<Id>(body, 'taskId'));
  await bench.settle();
  expected = await servedRows(bench.database, documentId);
}, 240_000);

afterAll(() => bench.close(), 60_000);

/** Of the API that runs now; the one before may have been killed. */
const client = (): ApiClient => new ApiClient(api.service.baseUrl);

it(
  'whatever is killed and paused, every document ends as in a quiet run, and nobody has to lend a hand',
  async () => {
    const build = Promise.all(Array.from({ length: documents }, (_, i) => builtAgainAndAgain(i + 1)));
    for (let i = 0; i < strikes; i += 1) await strike();
    striking = false;
    const built = await build;
    expect(await bench.violations()).toEqual([]);
    expect(new Set(built).size).toBe(documents);
    for (const documentId of built) expect(await servedRows(bench.database, documentId)).toEqual(expected);
    const served = await bench.database.query('select 1 from document where deleted_at is null');
    expect(served).toHaveLength(documents + 1);
  },
  boundMs,
);

const targets = {
  'kill a worker': async () => {
    const doomed = random.pick(workers);
    await doomed.kill();
    workers = [...workers.filter((worker) => worker !== doomed), await startWorker()];
  },
  'pause a worker': async () => {
    const paused = random.pick(workers);
    paused.service.signal('SIGSTOP');
    await pause(random.between(500, 4_000));
    paused.service.signal('SIGCONT');
  },
  'kill the API': async () => {
    await api.kill();
    api = await startApi();
  },
  'pause the broker': async () => {
    bench.kafka.hang();
    await pause(random.between(500, 5_000));
    bench.kafka.wake();
  },
  'kill the broker': async () => {
    await bench.kafka.kill();
    await bench.kafka.start();
  },
  'pause the database': async () => {
    bench.postgres.hang();
    await pause(random.between(500, 4_000));
    bench.postgres.wake();
  },
  'crash the database': async () => {
    await bench.postgres.crash();
    await bench.postgres.restart();
  },
};

async function strike(): Promise<void> {
  await pause(random.between(0, 1_500));
  const target = random.pick(Object.keys(targets) as (keyof typeof targets)[]);
  process.stderr.write(`${target}\n`);
  await targets[target]();
}

/**
 * What a patient client does: asks again after every broken answer, until the document is built; and then has it built
 * once more as long as there are strikes to come, so that each of them meets work.
 */
async function builtAgainAndAgain(copy: number): Promise<Id> {
  const { documentId, planId } = await confirmedAtLast(copy);
  do {
    await patiently(async (ask) => acceptance(await ask.build(documentId, planId)));
    await patiently(async (ask) => {
      const { body } = await ask.get(`/documents/${documentId}`);
      return at<string>(body, 'indexStatus.name') === 'BUILT' || undefined;
    });
  } while (striking);
  return documentId;
}

async function confirmedAtLast(copy: number): Promise<{ documentId: Id; planId: Id }> {
  const documentId = await patiently(async (ask) => {
    const { status, body } = await ask.upload(`chaos-${copy}.md`, faultText(copy));
    return status < 300 ? at<Id>(body, 'document.documentId') : undefined;
  });
  const planId = await patiently(async (ask) => {
    const { body } = await ask.get(`/documents/${documentId}`);
    return at<number>(body, 'parseStatus.code') === 3 ? at<Id | null>(body, 'currentPlanId') : undefined;
  });
  await patiently(async (ask) => succeeded(await ask.post(`/plans/${planId}/confirm`, { operatorId: '7' })));
  return { documentId, planId };
}

const succeeded = ({ status }: Answer): true | undefined => status === 200 || undefined;

/** Accepted now, or by a call whose answer was lost. */
function acceptance({ status, body }: Answer): true | undefined {
  if (status === 202) bench.accepted.push(at<Id>(body, 'taskId'));
  return status === 202 || body['code'] === 'BUILD_IN_PROGRESS' || undefined;
}

async function patiently<T>(ask: (api: ApiClient) => Promise<T | null | undefined>): Promise<T> {
  const deadline = Date.now() + boundMs;
  for (;;) {
    // An API that is killed breaks the line, and another one answers soon.
    const given = await ask(client()).catch(() => undefined);
    if (given !== undefined && given !== null) return given;
    if (Date.now() > deadline) throw new Error(`asked in vain: ${String(ask)}`);
    await pause(250);
  }
}
