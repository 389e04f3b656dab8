import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Level } from '../domain/plan/strategy.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../testing/factories.js';
import { openLocalObjects, type LocalObjects } from '../testing/local-objects.js';
import { newReadDocuments } from '../testing/read-documents-parts.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import type { ReadDocuments } from './read-documents.js';

const tenantId = '0';
const page = { limit: 50 };

let test: TestDatabase;
let local: LocalObjects;
let reading: ReadDocuments;
let planted: PlantedDocument;

beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  local = await openLocalObjects();
  const parts = newReadDocuments(test.database, local.objects);
  reading = parts.reading;
  planted = await plantDocument(test.database);
  const { documentId } = planted;
  await test.database.transaction(async (tx) => {
    for (const [revision, text] of [
      [1, '# One\n\n第一'],
      [2, '# Two\n\n第二'],
    ] as const) {
      const blocks = [
        { type: 'heading', depth: 1, charStart: 0, charEnd: 5 },
        { type: 'paragraph', charStart: 7, charEnd: 9 },
      ] as const;
      await parts.texts.save(tx, { tenantId, documentId, revision, sourceHash: 'h', parsed: { text, blocks } });
    }
  });
});
afterEach(() => local.close());

/** A served version with one parent and two children. */
async function serve(): Promise<void> {
  const { documentId, knowledgeBaseId, planId } = planted;
  const taskId = await plantTask(test.database, planted);
  const versionId = testIds.next();
  await test.database.query(
    `insert into index_version (id, document_id, knowledge_base_id, version, task_id, plan_id, text_revision,
                                source_hash, model_id, dimension, state)
     values ($1, $2, $3, 4, $4, $5, 1, 'h', 'm', 384, 2)`,
    [versionId, documentId, knowledgeBaseId, taskId, planId],
  );
  for (const [level, ordinal, parent, start, end] of [
    ['PARENT', 0, null, 0, 9],
    ['CHILD', 0, 0, 0, 5],
    ['CHILD', 1, 0, 7, 9],
  ] as const) {
    await test.database.query(
      `insert into chunk (id, document_id, knowledge_base_id, version_id, level, ordinal, parent_ordinal, char_start,
                          char_end, content, tokens, overlap_start, heading_path, rule)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'text', 3, 0, '["One"]', 'STRUCTURE:heading')`,
      [testIds.next(), documentId, knowledgeBaseId, versionId, level, ordinal, parent, start, end],
    );
  }
  await test.database.query('update document set active_version_id = $2 where id = $1', [documentId, versionId]);
}

describe('ReadDocuments', () => {
  it('gives the text of the revision that the document stands at, or of the one asked for', async () => {
    const { documentId } = planted;
    expect(await reading.text(tenantId, documentId, {})).toEqual({ text: '# One\n\n第一', length: 9, revision: 1 });
    expect(await reading.text(tenantId, documentId, { from: 7, to: 8, revision: 2 })).toEqual({
      text: '第',
      length: 9,
      revision: 2,
    });
  });

  it('gives the blocks with their numbers', async () => {
    expect(await reading.blocks(tenantId, planted.documentId, undefined, page)).toEqual({
      items: [
        { type: 'heading', depth: 1, charStart: 0, charEnd: 5, ordinal: 0 },
        { type: 'paragraph', charStart: 7, charEnd: 9, ordinal: 1 },
      ],
      next: null,
      revision: 1,
    });
  });

  it('says that there is no text before the first parse, and none of a revision that is not kept', async () => {
    const { documentId } = planted;
    const missing = { code: 'TEXT_NOT_AVAILABLE' };
    await expect(reading.text(tenantId, documentId, { revision: 9 })).rejects.toMatchObject(missing);
    await expect(reading.blocks(tenantId, documentId, 9, page)).rejects.toMatchObject(missing);
    await test.database.query('update document set text_revision = 0 where id = $1', [documentId]);
    await expect(reading.text(tenantId, documentId, {})).rejects.toMatchObject(missing);
    await expect(reading.blocks(tenantId, documentId, undefined, page)).rejects.toMatchObject(missing);
  });

  it('gives the source byte for byte under its own name', async () => {
    const { documentId } = planted;
    await local.objects.put('key', Readable.from([Buffer.from([0, 255, 10])]), 10);
    const source = await reading.source(tenantId, documentId);
    expect(source).toMatchObject({ fileName: 'file.md', mediaType: 'text/markdown', sizeBytes: 10 });
    expect([...(await buffer(source.stream))]).toEqual([0, 255, 10]);
  });

  it('says that the source is gone', async () => {
    await expect(reading.source(tenantId, planted.documentId)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  it('gives no chunks while nothing is served', async () => {
    expect(await reading.listChunks(tenantId, planted.documentId, Level.Child, page)).toEqual({
      items: [],
      next: null,
      version: null,
      textRevision: null,
    });
  });

  it('gives the chunks of the served version by level, in order, page by page', async () => {
    await serve();
    const { documentId } = planted;
    const first = await reading.listChunks(tenantId, documentId, Level.Child, { limit: 1 });
    expect(first).toMatchObject({
      items: [{ level: 'CHILD', ordinal: 0, parentOrdinal: 0, charStart: 0, charEnd: 5, headingPath: ['One'] }],
      next: '0',
      version: 4,
      textRevision: 1,
    });
    const second = await reading.listChunks(tenantId, documentId, Level.Child, { limit: 1, after: '0' });
    expect(second).toMatchObject({ items: [{ ordinal: 1, charStart: 7 }], next: null });
    const parents = await reading.listChunks(tenantId, documentId, Level.Parent, page);
    expect(parents).toMatchObject({ items: [{ level: 'PARENT', ordinal: 0, parentOrdinal: null }], next: null });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another tenant', () => Promise.resolve()],
    ['a deleted document', () => test.database.query('update document set deleted_at = now()')],
  ])('finds nothing for %s', async (name, prepare) => {
    await prepare();
    const tenant = name === 'another tenant' ? '9' : tenantId;
    const { documentId } = planted;
    const notFound = { code: 'DOCUMENT_NOT_FOUND' };
    await expect(reading.get(tenant, documentId)).rejects.toMatchObject(notFound);
    await expect(reading.text(tenant, documentId, {})).rejects.toMatchObject(notFound);
    await expect(reading.blocks(tenant, documentId, 1, page)).rejects.toMatchObject(notFound);
    await expect(reading.source(tenant, documentId)).rejects.toMatchObject(notFound);
    await expect(reading.listChunks(tenant, documentId, Level.Child, page)).rejects.toMatchObject(notFound);
    expect((await reading.list(tenant, {}, page)).items).toEqual([]);
  });
});
