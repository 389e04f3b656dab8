import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Answer } from '../api-client.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';
import type { FailpointName } from './failpoints.js';

let bench: FaultBench;
let front: FaultyProcess;
let copies = 0;

beforeAll(async () => {
  bench = await FaultBench.open();
  [front] = await Promise.all([bench.start('api'), bench.start('worker,relay,upkeep')]);
}, 240_000);

afterAll(() => bench.close(), 60_000);

const api = (): ApiClient => new ApiClient(front.service.baseUrl);
const confirmed = (): Promise<{ documentId: Id; planId: Id }> =>
  api().confirmed(`copy-${(copies += 1)}.md`, faultText(copies));

/** A call with a key, made again with the same key after the process that had carried it out was killed. */
async function askedAgain(
  name: FailpointName,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const key = { 'idempotency-key': `lost-${name.length}-${(copies += 1)}` };
  front.arm(name);
  const lost = call(key).then(
    () => false,
    () => true,
  );
  await front.reached(name);
  expect(await lost).toBe(true);
  await front.service.ended();
  front = await bench.start('api');
  const again = await call(key);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  return again;
}

const tasksOf = (documentId: Id, type: number): Promise<{ id: Id }[]> =>
  bench.database.query('select id from task where document_id = $1 and task_type = $2', [documentId, type]);

it('an upload is the same document with the same task', async () => {
  const text = faultText((copies += 1));
  const { status, body } = await askedAgain('upload: committed, not answered', (key) =>
    api().upload('twice.md', text, {}, key),
  );
  expect([status, body['duplicateOf']]).toEqual([202, undefined]);
  expect(await bench.database.query(`select id from document where file_name = 'twice.md'`)).toHaveLength(1);
  expect(await tasksOf(at(body, 'document.documentId'), 1)).toEqual([{ id: at(body, 'task.taskId') }]);
  expect(await bench.violations()).toEqual([]);
}, 120_000);

it('a build is the same task', async () => {
  const order = { ...(await confirmed()), operatorId: '7' };
  const { status, body } = await askedAgain('build: committed, not answered', (key) =>
    api().post('/index/build', order, key),
  );
  expect(status).toBe(202);
  bench.accepted.push(at<Id>(body, 'taskId'));
  expect(await tasksOf(order.documentId, 2)).toEqual([{ id: at(body, 'taskId') }]);
  expect(await bench.violations()).toEqual([]);
}, 120_000);

it('a rebuild is the same batch, and each document is built once', async () => {
  const { documentId } = await confirmed();
  const { status, body } = await askedAgain('rebuild: committed, not answered', (key) =>
    api().post('/index/rebuild', { documentIds: [documentId] }, key),
  );
  expect([status, body['total']]).toEqual([202, 1]);
  await api().until(`/batches/${at<Id>(body, 'batchId')}`, (batch) => batch['state'] === 'DONE');
  expect(await bench.database.query('select id from batch')).toEqual([{ id: body['batchId'] }]);
  expect(await tasksOf(documentId, 4)).toHaveLength(1);
  expect(await bench.violations()).toEqual([]);
}, 120_000);

it('a retry is the same task, tried once more', async () => {
  const { body: uploaded } = await api().upload('empty.md', ' ');
  const taskId = at<Id>(uploaded, 'task.taskId');
  const failed = await api().ended(taskId);
  expect(at(failed, 'error.code')).toBe('EMPTY');
  const { status, body } = await askedAgain('retry: committed, not answered', (key) =>
    api().post(`/tasks/${taskId}/retry`, { operatorId: '7' }, key),
  );
  expect([status, body['taskId']]).toEqual([202, taskId]);
  expect(at(await api().ended(taskId), 'attempt')).toBe(2);
  const asked = await bench.database.query(`select 1 from task_log where task_id = $1 and event = 'RETRY_REQUESTED'`, [
    taskId,
  ]);
  expect(asked).toHaveLength(1);
  expect(await bench.violations()).toEqual([]);
}, 120_000);
