import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchBench } from '../testing/batch-bench.js';
import { codeOf } from '../testing/code-of.js';
import { describeBatchCommands } from '../testing/contract/batch-commands-contract.js';
import { plantDocument } from '../testing/factories.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { whileLocked } from '../testing/while-locked.js';

describe('commands of batches on postgres', () => describeBatchCommands('postgres'));

describe('two at once', () => {
  let db: TestDatabase;
  let bench: BatchBench;

  beforeAll(async () => {
    db = await openTestDatabase({ on: 'postgres' });
    bench = new BatchBench(db.database);
  });
  afterAll(() => db.close());

  it('that cancel one batch: one of them is told that it is over', async () => {
    const { documentId } = await plantDocument(db.database);
    const batchId = await bench.accept({ documentIds: [documentId] });
    await bench.fill();
    const document = { sql: 'select 1 from document where id = $1 for update', parameters: [documentId], waiters: 2 };
    const outcomes = await whileLocked(db.database, document, () =>
      Promise.all([codeOf(bench.cancel(batchId)), codeOf(bench.cancel(batchId))]),
    );
    expect(outcomes.sort()).toEqual(['BATCH_FINISHED', 'done']);
  });

  it('of which one deletes the base that the other rebuilds: no batch is made of it', async () => {
    const { knowledgeBaseId } = await plantDocument(db.database);
    const sql = 'update knowledge_base set deleted_at = now() where id = $1';
    const outcome = await whileLocked(db.database, { sql, parameters: [knowledgeBaseId], waiters: 1 }, () =>
      codeOf(bench.accept({ knowledgeBaseId })),
    );
    expect(outcome).toBe('KNOWLEDGE_BASE_NOT_FOUND');
  });

  it('of which one deletes a document that the other comes to: the batch passes it over', async () => {
    const { documentId } = await plantDocument(db.database);
    const batchId = await bench.accept({ documentIds: [documentId] });
    const sql = 'update document set deleted_at = now() where id = $1';
    await whileLocked(db.database, { sql, parameters: [documentId], waiters: 1 }, () => bench.fill());
    expect((await bench.items(batchId)).get(documentId)).toMatchObject({ taskId: null, skipReason: 'DELETED' });
  });
});
