import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeadLetterRepository } from '../../database/repositories/dead-letter-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { deadMessage } from '../../messaging/dead-letter.js';
import { Topic } from '../../messaging/topic.js';
import { plantDocument, plantTask, testIds } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { DeadLetterView } from '../views/dead-letter-view.js';

let api: HttpApi;
let taskId: Id;

beforeAll(async () => {
  api = await startHttpApi();
  const letters = new DeadLetterRepository(api.test.database, testIds);
  taskId = await plantTask(api.test.database, await plantDocument(api.test.database));
  await api.test.database.transaction(async (tx) => {
    await tx.query('update task set task_status = 4, finished_at = now() where id = $1', [taskId]);
    await letters.addTask(tx, taskId, { code: 'EMBEDDING_FAILED', message: 'It did not answer.' });
  });
  const message = { topic: Topic.BuildIndex, key: null, value: Buffer.from('?'), headers: { a: 'b' } };
  await letters.addMessage(deadMessage(message, 'the value is not a JSON object'));
});
afterAll(() => api.stop());

type Letter = Record<string, unknown> & { deadLetterId: string };
const list = async (query = '') => {
  const { body } = await api.server.get(`/admin/dead-letters${query}`);
  return body as { items: Letter[]; nextCursor: string | null };
};
const command = (id: string, verb: string) => api.server.post(`/admin/dead-letters/${id}/${verb}`, '');

describe('/admin/dead-letters', () => {
  it('lists letters, newest first, page by page', async () => {
    const { items } = await list();
    for (const item of items) expect(shapeFaults(DeadLetterView, item, api.server.limits)).toEqual([]);
    expect(items).toMatchObject([
      {
        kind: 'MESSAGE',
        state: 'OPEN',
        reason: 'the value is not a JSON object',
        message: { topic: 'document-index-build', key: null, value: '?', valueBytes: 1, headers: { a: 'b' } },
      },
      { kind: 'TASK', state: 'OPEN', task: { taskId, code: 'EMBEDDING_FAILED', nextStep: expect.any(String) } },
    ]);
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(items);
    expect(second.nextCursor).toBeNull();
  });

  it('replays one for the first of two calls, and both get it', async () => {
    const letter = (await list()).items.find(({ kind }) => kind === 'TASK');
    const [first, second] = [
      await command(letter?.deadLetterId ?? '', 'replay'),
      await command(letter?.deadLetterId ?? '', 'replay'),
    ];
    expect(first).toMatchObject({ status: 202, body: { state: 'REPLAYED' } });
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(api.publisher.sent.map(({ value }) => value.taskId)).toEqual([taskId]);
    expect((await list('?state=OPEN')).items.map(({ kind }) => kind)).toEqual(['MESSAGE']);
    expect((await list('?state=REPLAYED')).items.map(({ kind }) => kind)).toEqual(['TASK']);
  });

  it('discards one, and says what it refuses', async () => {
    const letter = (await list('?state=OPEN')).items[0];
    const id = letter?.deadLetterId ?? '';
    expect(await command(id, 'discard')).toMatchObject({ status: 200, body: { state: 'DISCARDED' } });
    expect(await command(id, 'discard')).toMatchObject({ status: 200, body: { state: 'DISCARDED' } });
    expect(await command(id, 'replay')).toMatchObject({ status: 409, body: { code: 'DEAD_LETTER_SETTLED' } });
    expect(await command('77', 'replay')).toMatchObject({ status: 404, body: { code: 'DEAD_LETTER_NOT_FOUND' } });
    expect(await command('77', 'discard')).toMatchObject({ status: 404, body: { code: 'DEAD_LETTER_NOT_FOUND' } });
    expect(await api.server.get('/admin/dead-letters?state=LOST')).toMatchObject({ status: 400 });
  });
});
