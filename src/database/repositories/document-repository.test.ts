import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IndexStatus } from '../../domain/document/index-status.js';
import { ParseStatus } from '../../domain/document/parse-status.js';
import { StrategyStatus } from '../../domain/document/strategy-status.js';
import type { ParsedText } from '../../domain/text/block.js';
import { plantTask, testIds, testModel } from '../../testing/factories.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { DocumentRepository, type NewDocument } from './document-repository.js';
import type { DocumentView } from './document-view.js';
import { VersionState } from './index-version-repository.js';

const tenantId = '7';
const knowledgeBaseId = '1';

let test: TestDatabase;
let documents: DocumentRepository;

beforeAll(async () => {
  test = await openTestDatabase();
  documents = new DocumentRepository(test.database);
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('truncate knowledge_base, task cascade');
  await test.database.query(
    `insert into knowledge_base (id, tenant_id, name, embedding_model) values (1, 7, 'a', $1), (2, 7, 'b', $1)`,
    [testModel.id],
  );
});

async function insert(more: Partial<NewDocument> = {}, encoding?: string): Promise<string> {
  const id = testIds.next();
  const document: NewDocument = {
    id,
    tenantId,
    knowledgeBaseId,
    title: 'Title',
    fileName: 'file.md',
    mediaType: 'text/markdown',
    sizeBytes: 12,
    sourceHash: 'hash',
    sourceKey: `sources/${id}`,
    ...more,
  };
  await test.database.transaction((tx) => documents.insert(tx, document, encoding));
  return id;
}

async function view(id: string): Promise<DocumentView> {
  const found = await documents.view(tenantId, id);
  if (!found) throw new Error('no such document');
  return found;
}

const parsed: Omit<ParsedText, 'text' | 'blocks'> = {
  encoding: 'gb18030',
  encodingConfidence: 0.75,
  language: 'zh',
  mediaType: 'text/plain',
  warnings: [{ code: 'ENCODING_GUESSED', message: 'It was guessed.' }],
};

/** Makes a served version of a parsed document, as a finished build leaves it. */
async function serve(id: string): Promise<void> {
  const planId = testIds.next();
  await test.database.query(
    `insert into strategy_plan (id, tenant_id, document_id, plan_no, plan_status, source, strategy_snapshot, text_revision)
     values ($1, 7, $2, 1, 2, 'EDITED', 'PARENT:1;CHILD:2', 1)`,
    [planId, id],
  );
  const taskId = await plantTask(test.database, { documentId: id, knowledgeBaseId, planId });
  const versionId = testIds.next();
  await test.database.query(
    `insert into index_version (id, tenant_id, document_id, knowledge_base_id, version, task_id, plan_id, text_revision,
                                source_hash, model_id, dimension, state, parent_count, child_count, token_count)
     values ($1, 7, $2, 1, 3, $3, $4, 1, 'hash', $5, 384, ${VersionState.Active}, 2, 5, 600)`,
    [versionId, id, taskId, planId, testModel.id],
  );
  await test.database.query(
    'update document set active_version_id = $2, current_plan_id = $3, text_revision = 1 where id = $1',
    [id, versionId, planId],
  );
}

describe('DocumentRepository', () => {
  it('shows a new document as it was received', async () => {
    const id = await insert({ sizeBytes: 5_000_000_000 }, 'koi8-r');
    const { createdAt, updatedAt, ...rest } = await view(id);
    expect(rest).toEqual({
      documentId: id,
      knowledgeBaseId,
      title: 'Title',
      fileName: 'file.md',
      mediaType: 'text/markdown',
      sizeBytes: '5000000000',
      sourceHash: 'hash',
      encoding: 'koi8-r',
      encodingConfidence: null,
      language: null,
      parseStatus: ParseStatus.WaitParse,
      strategyStatus: StrategyStatus.WaitRecommend,
      indexStatus: IndexStatus.WaitBuild,
      currentPlanId: null,
      textRevision: 0,
      activeVersion: null,
      activeTextRevision: null,
      stale: false,
      chunkCount: 0,
      tokenCount: '0',
      parseWarnings: [],
      error: null,
    });
    expect(createdAt).toBeInstanceOf(Date);
    expect(updatedAt).toEqual(createdAt);
  });

  it('finds no document of another tenant, and none that is deleted', async () => {
    const id = await insert();
    expect(await documents.view('8', id)).toBeUndefined();
    expect(await documents.source('8', id)).toBeUndefined();
    await test.database.query('update document set deleted_at = now() where id = $1', [id]);
    expect(await documents.view(tenantId, id)).toBeUndefined();
    expect(await documents.source(tenantId, id)).toBeUndefined();
    expect((await documents.list(tenantId, {}, { limit: 10 })).items).toEqual([]);
  });

  it('finds the oldest document of a base with the same bytes', async () => {
    const find = (base: string, hash: string, tenant = tenantId): Promise<string | undefined> =>
      test.database.transaction((tx) => documents.findDuplicate(tx, tenant, base, hash));
    expect(await find('1', 'hash')).toBeUndefined();
    const first = await insert();
    await insert();
    expect(await find('1', 'hash')).toBe(first);
    expect(await find('1', 'other')).toBeUndefined();
    expect(await find('2', 'hash')).toBeUndefined();
    expect(await find('1', 'hash', '8')).toBeUndefined();
    await test.database.query('update document set deleted_at = now() where id = $1', [first]);
    expect(await find('1', 'hash')).not.toBe(first);
  });

  describe('list', () => {
    const idsOf = async (filter: Parameters<DocumentRepository['list']>[1]): Promise<string[]> =>
      (await documents.list(tenantId, filter, { limit: 50 })).items.map(({ documentId }) => documentId);

    it('goes through all documents, newest first, page by page', async () => {
      const ids = [await insert(), await insert(), await insert(), await insert(), await insert()];
      const pages: string[][] = [];
      let after: string | null = null;
      do {
        const page = await documents.list(tenantId, {}, { limit: 2, ...(after ? { after } : {}) });
        pages.push(page.items.map(({ documentId }) => documentId));
        after = page.next;
      } while (after);
      expect(pages).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
    });

    it('filters by base and by status', async () => {
      const one = await insert();
      const other = await insert({ knowledgeBaseId: '2' });
      await test.database.transaction((tx) => documents.startParsing(tx, other));
      await test.database.query(`update document set index_status = ${IndexStatus.Built} where id = $1`, [one]);
      expect(await idsOf({ knowledgeBaseId: '2' })).toEqual([other]);
      expect(await idsOf({ parseStatus: ParseStatus.Parsing })).toEqual([other]);
      expect(await idsOf({ indexStatus: IndexStatus.Built })).toEqual([one]);
      expect(await idsOf({ indexStatus: IndexStatus.Built, knowledgeBaseId: '2' })).toEqual([]);
    });

    it('takes what is searched for literally, in any case, in title and file name', async () => {
      const percent = await insert({ title: '100% sure' });
      const line = await insert({ fileName: 'a_b.MD' });
      const chinese = await insert({ title: '数据库设计' });
      expect(await idsOf({ q: '%' })).toEqual([percent]);
      expect(await idsOf({ q: '_' })).toEqual([line]);
      expect(await idsOf({ q: 'A_B.md' })).toEqual([line]);
      expect(await idsOf({ q: 'SURE' })).toEqual([percent]);
      expect(await idsOf({ q: '据库' })).toEqual([chinese]);
      expect(await idsOf({ q: "'; drop table document; --" })).toEqual([]);
      expect(await idsOf({ q: '\\' })).toEqual([]);
    });
  });

  describe('parsing', () => {
    const move = (work: Parameters<typeof test.database.transaction<void>>[0]): Promise<void> =>
      test.database.transaction(work);

    it('leads from waiting over reading to success', async () => {
      const id = await insert();
      await move((tx) => documents.startParsing(tx, id));
      expect((await view(id)).parseStatus).toBe(ParseStatus.Parsing);
      await move((tx) => documents.describeSource(tx, id, parsed));
      await move((tx) => documents.finishParsing(tx, id, 1));
      expect(await view(id)).toMatchObject({
        parseStatus: ParseStatus.ParseSuccess,
        textRevision: 1,
        encoding: 'gb18030',
        encodingConfidence: 0.75,
        language: 'zh',
        mediaType: 'text/plain',
        parseWarnings: parsed.warnings,
        error: null,
      });
    });

    it('begins again after an attempt that was lost', async () => {
      const id = await insert();
      await move((tx) => documents.startParsing(tx, id));
      await move((tx) => documents.startParsing(tx, id));
      expect((await view(id)).parseStatus).toBe(ParseStatus.Parsing);
    });

    it('fails with a reason, before and after it began', async () => {
      const failure = { code: 'EMPTY', message: 'The file has no bytes.' } as const;
      const waiting = await insert();
      const reading = await insert();
      await move((tx) => documents.startParsing(tx, reading));
      for (const id of [waiting, reading]) {
        await move((tx) => documents.failParsing(tx, id, failure));
        expect(await view(id)).toMatchObject({ parseStatus: ParseStatus.ParseFailed, error: failure, textRevision: 0 });
      }
    });

    it('does not make a move that its table does not allow', async () => {
      const id = await insert();
      await expect(move((tx) => documents.finishParsing(tx, id, 1))).rejects.toThrow('could not move');
      await move((tx) => documents.startParsing(tx, id));
      await move((tx) => documents.finishParsing(tx, id, 1));
      await expect(move((tx) => documents.startParsing(tx, id))).rejects.toThrow('could not move');
      await expect(move((tx) => documents.failParsing(tx, id, { code: 'EMPTY', message: 'late' }))).rejects.toThrow(
        'could not move',
      );
      expect(await view(id)).toMatchObject({ parseStatus: ParseStatus.ParseSuccess, error: null });
    });

    it('remembers an encoding that was asked for or proved, and does not take a guess for one', async () => {
      const asked = await insert({}, 'koi8-r');
      const guessed = await insert();
      const proved = await insert();
      await move((tx) => documents.describeSource(tx, guessed, parsed));
      await move((tx) => documents.describeSource(tx, proved, { ...parsed, encoding: 'utf-8', encodingConfidence: 1 }));
      const encodings = await Promise.all([asked, guessed, proved].map((id) => documents.source(tenantId, id)));
      expect(encodings.map((source) => source?.encoding)).toEqual(['koi8-r', null, 'utf-8']);
    });
  });

  describe('served version', () => {
    it('gives a document its counts', async () => {
      const id = await insert();
      await serve(id);
      expect(await view(id)).toMatchObject({
        activeVersion: 3,
        activeTextRevision: 1,
        chunkCount: 5,
        tokenCount: '600',
        stale: false,
      });
    });

    it.each<[string, string]>([
      ['another source', `update document set source_hash = 'new'`],
      ['a newer text', 'update document set text_revision = 2'],
      ['another plan', 'update document set current_plan_id = 99'],
      ['no plan', 'update document set current_plan_id = null'],
      ['another model', `update knowledge_base set embedding_model = 'other'`],
    ])('is stale with %s', async (_, change) => {
      const id = await insert();
      await serve(id);
      await test.database.query(change);
      expect((await view(id)).stale).toBe(true);
    });
  });
});
