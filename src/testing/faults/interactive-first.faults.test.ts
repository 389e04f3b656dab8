import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at } from '../api-client.js';
import { copyConfirmed } from '../copied-documents.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';

/** Documents that wait in a batch, and builds that people ask for meanwhile. */
const bulk = 300;
const interactive = 4;

let bench: FaultBench;

beforeAll(async () => {
  bench = await FaultBench.open();
}, 240_000);

afterAll(() => bench.close(), 60_000);

describe.each([
  ['kafka', 1_000],
  ['postgres', 2_000],
])('on %s, with several hundred builds of a batch in front', (broker, firstId) => {
  let processes: FaultyProcess[];
  let api: ApiClient;

  beforeAll(async () => {
    const env = { BROKER: broker, INDEX_SLOTS: '1' };
    const [front, ...back] = await Promise.all([
      bench.start('api,relay,upkeep', env),
      bench.start('worker', env),
      bench.start('worker', env),
    ]);
    processes = [front, ...back];
    api = new ApiClient(front.service.baseUrl);
  }, 120_000);

  afterAll(async () => {
    await Promise.all(processes.map((each) => each.service.stop()));
  }, 60_000);

  it('each worker takes what people ask for next, after the one build that it is at', async () => {
    const workers = processes.slice(1);
    const asked = [];
    for (let i = 0; i < interactive; i += 1) asked.push(await api.confirmed(`${broker}-${i}.md`, faultText(i + 1)));
    const model = await api.confirmed(`${broker}-bulk.md`, faultText(20));
    const documentIds = await copyConfirmed(bench.database, model, { copies: bulk, firstId });
    for (const worker of workers) worker.arm('build: text cut', 'hold');
    const batch = await api.post('/index/rebuild', { documentIds });
    const batchId = at<Id>(batch.body, 'batchId');
    // Both workers are at a build of the batch, and all others wait behind it.
    await Promise.all(workers.map((worker) => worker.reached('build: text cut')));
    await api.until(`/batches/${batchId}`, (now) => at<number>(now, 'counts.waiting') === bulk - workers.length);
    await allSent(batchId);
    const taskIds: Id[] = [];
    for (const { documentId, planId } of asked) {
      const { status, body } = await api.build(documentId, planId);
      expect(status).toBe(202);
      taskIds.push(at(body, 'taskId'));
    }
    for (const worker of workers) worker.release('build: text cut');
    for (const taskId of taskIds) expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
    for (const claims of await claimsByWorker(batchId)) {
      // The build that it was at, then those of people, then the batch again.
      const [first, ...next] = claims;
      const people = next.filter(Boolean);
      expect([first, next.slice(0, people.length)]).toEqual([false, people]);
    }
    const { body } = await api.get(`/batches/${batchId}`);
    expect(at<number>(body, 'counts.waiting')).toBeGreaterThan(bulk / 2);
    expect((await api.post(`/batches/${batchId}/cancel`)).status).toBe(202);
    await bench.settle();
  }, 240_000);

  /** Every message of the batch that may be under way is with the broker. */
  async function allSent(batchId: Id): Promise<void> {
    for (;;) {
      const open = await bench.database.query('select 1 from outbox where status = 1 limit 1');
      if (open.length === 0) return;
      await api.get(`/batches/${batchId}`);
    }
  }

  /** Of each worker, in the order of its claims: whether a person had asked for it. */
  async function claimsByWorker(batchId: Id): Promise<boolean[][]> {
    const claims = await bench.database.query<{ worker: string; interactive: boolean }>(
      `select l.metadata->>'worker' as worker, t.batch_id is null as interactive
         from task_log l join task t on t.id = l.task_id
        where l.event = 'CLAIMED' and t.task_type in (2, 4)
          and l.id >= (select min(f.id) from task_log f join task b on b.id = f.task_id
                        where b.batch_id = $1 and f.event = 'CLAIMED')
        order by l.id`,
      [batchId],
    );
    const workers = [...new Set(claims.map(({ worker }) => worker))];
    return workers.map((one) => claims.filter(({ worker }) => worker === one).map((claim) => claim.interactive));
  }
});
