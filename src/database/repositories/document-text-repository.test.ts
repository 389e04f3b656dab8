import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Block } from '../../domain/text/block.js';
import { plantDocument, testIds } from '../../testing/factories.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { DocumentTextRepository } from './document-text-repository.js';

const tenantId = '0';

let test: TestDatabase;
let texts: DocumentTextRepository;
let documentId: string;

beforeAll(async () => {
  test = await openTestDatabase();
  texts = new DocumentTextRepository(test.database);
});
afterAll(() => test.close());
beforeEach(async () => {
  ({ documentId } = await plantDocument(test.database));
});

function save(text: string, blocks: readonly Block[] = [], revision = 1): Promise<number> {
  return test.database.transaction((tx) =>
    texts.save(tx, { tenantId, documentId, revision, sourceHash: 'h', parsed: { text, blocks } }),
  );
}

const range = (from: number, to?: number) => texts.readRange(tenantId, documentId, 1, from, to);

/** Three segments and a bit; every tenth character is outside of the first plane. */
const long = Array.from({ length: 200_000 }, (_, i) => (i % 10 === 0 ? '😀' : String.fromCharCode(97 + (i % 26)))).join(
  '',
);
const points = Array.from(long);

describe('DocumentTextRepository', () => {
  it('gives back a text with its blocks', async () => {
    const blocks: Block[] = [
      { type: 'heading', depth: 1, charStart: 0, charEnd: 4 },
      { type: 'paragraph', charStart: 6, charEnd: 9, page: 2 },
    ];
    expect(await save('# 😀a\n\n中文\t', blocks)).toBe(9);
    expect(await texts.read(tenantId, documentId, 1)).toEqual({ text: '# 😀a\n\n中文\t', blocks });
  });

  it('counts ranges in code points, across segments too', async () => {
    expect(await save(long)).toBe(200_000);
    expect((await texts.read(tenantId, documentId, 1))?.text).toBe(long);
    for (const [from, to] of [
      [0, 10],
      [65_530, 65_545],
      [65_536, 65_537],
      [100, 140_000],
      [199_999, 200_000],
    ] as const) {
      expect(await range(from, to)).toEqual({ text: points.slice(from, to).join(''), length: 200_000 });
    }
  });

  it('clips a range to the text', async () => {
    await save('中文字');
    expect(await range(1)).toEqual({ text: '文字', length: 3 });
    expect(await range(2, 99)).toEqual({ text: '字', length: 3 });
    expect(await range(3, 99)).toEqual({ text: '', length: 3 });
    expect(await range(2, 1)).toEqual({ text: '', length: 3 });
  });

  it('reads only the segments that a range needs', async () => {
    await save(long);
    await test.database.query('delete from document_text_segment where document_id = $1 and seq <> 1', [documentId]);
    expect((await range(70_000, 70_010))?.text).toBe(points.slice(70_000, 70_010).join(''));
    await expect(range(0, 10)).rejects.toThrow('lacks its segments');
  });

  it('lists blocks page by page, over the borders of what is stored together', async () => {
    const blocks: Block[] = Array.from({ length: 1_203 }, (_, i) => ({
      type: 'paragraph',
      charStart: i * 3,
      charEnd: i * 3 + 1,
    }));
    await save('a\n\n'.repeat(1_203), blocks);
    const listed: unknown[] = [];
    let after: string | null | undefined;
    do {
      const page = await texts.listBlocks(tenantId, documentId, 1, { limit: 200, ...(after ? { after } : {}) });
      listed.push(...(page?.items ?? []));
      after = page?.next;
    } while (after);
    expect(listed).toEqual(blocks.map((block, ordinal) => ({ ...block, ordinal })));
  });

  it('lists no blocks of a text without any', async () => {
    await save('');
    expect(await texts.listBlocks(tenantId, documentId, 1, { limit: 10 })).toEqual({ items: [], next: null });
    expect(await texts.read(tenantId, documentId, 1)).toEqual({ text: '', blocks: [] });
  });

  it('knows nothing of other tenants, documents and revisions', async () => {
    await save('secret');
    expect(await texts.read('9', documentId, 1)).toBeUndefined();
    expect(await texts.readRange('9', documentId, 1, 0, undefined)).toBeUndefined();
    expect(await texts.listBlocks('9', documentId, 1, { limit: 1 })).toBeUndefined();
    expect(await texts.read(tenantId, testIds.next(), 1)).toBeUndefined();
    expect(await texts.read(tenantId, documentId, 2)).toBeUndefined();
  });

  it('never overwrites a revision', async () => {
    await save('first');
    await expect(save('second')).rejects.toMatchObject({ code: '23505' });
    expect((await texts.read(tenantId, documentId, 1))?.text).toBe('first');
  });

  it('removes newer revisions whole, and keeps the others', async () => {
    await save('first', [{ type: 'paragraph', charStart: 0, charEnd: 5 }]);
    await save('left behind', [{ type: 'paragraph', charStart: 0, charEnd: 4 }], 2);
    await test.database.transaction((tx) => texts.removeAfter(tx, documentId, 1));
    expect(await texts.read(tenantId, documentId, 2)).toBeUndefined();
    expect((await texts.read(tenantId, documentId, 1))?.text).toBe('first');
    const [left] = await test.database.query<{ count: number }>(
      `select (select count(*) from document_text_segment where document_id = $1 and revision = 2)
            + (select count(*) from document_block_page where document_id = $1 and revision = 2) as count`,
      [documentId],
    );
    expect(Number(left?.count)).toBe(0);
    await save('again', [], 2);
  });

  it('leaves nothing when the transaction fails', async () => {
    const failed = test.database.transaction(async (tx) => {
      await texts.save(tx, { tenantId, documentId, revision: 1, sourceHash: 'h', parsed: { text: 'x', blocks: [] } });
      throw new Error('later step failed');
    });
    await expect(failed).rejects.toThrow('later step failed');
    expect(await texts.read(tenantId, documentId, 1)).toBeUndefined();
  });
});
