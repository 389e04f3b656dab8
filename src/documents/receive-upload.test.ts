import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ParseStatus } from '../domain/document/parse-status.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { testModel } from '../testing/factories.js';
import { openLocalObjects, type LocalObjects } from '../testing/local-objects.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { newReceiveUpload } from '../testing/receive-upload-parts.js';
import type { ReceivedUpload, ReceiveUpload, Upload } from './receive-upload.js';

const tenantId = '7';

let test: TestDatabase;
let local: LocalObjects;
let receiving: ReceiveUpload;
let outboxCalls = 0;

beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('truncate knowledge_base, task, outbox cascade');
  await test.database.query(
    `insert into knowledge_base (id, tenant_id, name, embedding_model, is_default)
     values (1, 7, 'default', $1, true), (2, 7, 'other', $1, false), (3, 8, 'foreign', $1, false)`,
    [testModel.id],
  );
  local = await openLocalObjects();
  outboxCalls = 0;
  receiving = newReceiveUpload(test.database, local.objects, () => (outboxCalls += 1));
});
afterEach(() => local.close());

async function receive(content: string, more: Partial<Upload> = {}): Promise<ReceivedUpload> {
  const stored = await receiving.store(Readable.from([Buffer.from(content)]));
  return receiving.receive({
    tenantId,
    fileName: 'file.md',
    mediaType: 'text/markdown',
    allowDuplicate: false,
    priority: TaskPriority.Interactive,
    stored,
    ...more,
  });
}

const rows = (sql: string): Promise<Record<string, unknown>[]> => test.database.query(sql);

describe('ReceiveUpload', () => {
  it('makes a document, a parse task whose upload is done, its first line and its message', async () => {
    const received = await receive('# Text', { fileName: 'dir/中文.md', operatorId: '42', encoding: 'utf-8' });
    expect(received).toMatchObject({ type: 'created' });
    if (received.type !== 'created') return;
    const { documentId, taskId } = received;
    const [document] = await rows('select * from document');
    expect(document).toMatchObject({
      id: documentId,
      tenant_id: tenantId,
      knowledge_base_id: '1',
      title: '中文.md',
      file_name: '中文.md',
      media_type: 'text/markdown',
      size_bytes: '6',
      encoding: 'utf-8',
      parse_status: ParseStatus.WaitParse,
      strategy_status: 1,
      index_status: 1,
    });
    expect(String(await buffer(await local.objects.get(String(document?.source_key))))).toBe('# Text');
    const [task] = await rows('select * from task');
    expect(task).toMatchObject({
      id: taskId,
      document_id: documentId,
      task_type: 1,
      task_status: 1,
      current_stage: 2,
      trigger_source: 1,
      operator_id: '42',
      max_retry_count: 3,
      stages: [
        { stage: 1, status: 3, done: 1, total: 1 },
        { stage: 2, status: 1, done: 0 },
        { stage: 3, status: 1, done: 0 },
      ],
    });
    expect(await rows('select task_id, event, actor, operator_id from task_log')).toEqual([
      { task_id: taskId, event: 'START', actor: 1, operator_id: '42' },
    ]);
    expect(await rows('select aggregate_id, topic, payload from outbox')).toEqual([
      { aggregate_id: documentId, topic: 'document-parse', payload: { documentId, taskId } },
    ]);
    expect(outboxCalls).toBe(1);
  });

  it('puts a document where it is told, under the title it is given', async () => {
    await receive('x', { knowledgeBaseId: '2', title: 'A title' });
    expect(await rows('select knowledge_base_id, title, encoding from document')).toEqual([
      { knowledge_base_id: '2', title: 'A title', encoding: null },
    ]);
    expect(await rows('select trigger_source, operator_id from task')).toEqual([
      { trigger_source: 2, operator_id: null },
    ]);
  });

  it('answers the same bytes in one base with the document that holds them, and keeps no second copy', async () => {
    const first = await receive('same');
    expect(await receive('same', { fileName: 'other.md' })).toEqual({
      type: 'duplicate',
      documentId: first.documentId,
    });
    expect(await rows('select count(*)::int as n from document')).toEqual([{ n: 1 }]);
    expect(await rows('select count(*)::int as n from task')).toEqual([{ n: 1 }]);
    expect(await local.names()).toHaveLength(1);
    expect(outboxCalls).toBe(1);
  });

  it('takes the same bytes again where that is wanted, and in another base', async () => {
    await receive('same');
    expect(await receive('same', { allowDuplicate: true })).toMatchObject({ type: 'created' });
    expect(await receive('same', { knowledgeBaseId: '2' })).toMatchObject({ type: 'created' });
    expect(await local.names()).toHaveLength(3);
  });

  it('takes bytes again after their document was deleted', async () => {
    await receive('same');
    await test.database.query('update document set deleted_at = now()');
    expect(await receive('same')).toMatchObject({ type: 'created' });
  });

  it.each([
    ['a base that is not there', '99'],
    ['a base of another tenant', '3'],
  ])('refuses %s, and keeps nothing', async (_, knowledgeBaseId) => {
    await expect(receive('x', { knowledgeBaseId })).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_NOT_FOUND' });
    expect(await local.names()).toEqual([]);
    expect(await rows('select 1 from document')).toEqual([]);
  });

  it('keeps nothing when a later step fails', async () => {
    await test.database.query('alter table outbox add constraint closed check (false) not valid');
    try {
      await expect(receive('x')).rejects.toMatchObject({ code: '23514' });
    } finally {
      await test.database.query('alter table outbox drop constraint closed');
    }
    expect(await rows('select 1 from document union all select 1 from task')).toEqual([]);
    expect(await local.names()).toEqual([]);
    expect(outboxCalls).toBe(0);
  });

  it('refuses more bytes than the limit while they arrive', async () => {
    const tooMuch = Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    await expect(receiving.store(tooMuch)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await local.names()).toEqual([]);
  });

  it('removes what was stored for a request that is refused', async () => {
    const stored = await receiving.store(Readable.from([Buffer.from('x')]));
    await receiving.discard(stored);
    expect(await local.names()).toEqual([]);
  });
});
