import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { normaliserVersion, parserVersion, type Block, type ParsedText } from '../../domain/text/block.js';
import type { Database, TransactionContext } from '../database.js';
import { textSegments } from '../text-segments.js';

/** Code points of a segment: what the smallest read costs. */
const segmentChars = 65_536;
const blocksPerPage = 500;
/** Segments and pages in one statement; bounds its size. */
const rowsAtOnce = 16;

export interface NewTextRevision {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly revision: number;
  readonly sourceHash: string;
  readonly parsed: Pick<ParsedText, 'text' | 'blocks'>;
}

/** A part of a text; offsets count code points. */
export interface TextRange {
  readonly text: string;
  /** Of the whole text. */
  readonly length: number;
}

export interface NumberedBlock extends Block {
  readonly ordinal: number;
}

interface Segment {
  readonly start: number;
  readonly content: string;
}

/** Parsed texts by revision: written once, whole, and read by range. */
export class DocumentTextRepository {
  constructor(private readonly database: Database) {}

  /** Stores a revision in the caller's transaction, in statements of bounded size. Gives its length in code points. */
  async save(tx: TransactionContext, revision: NewTextRevision): Promise<number> {
    const { text, blocks } = revision.parsed;
    const segments = textSegments(text, segmentChars);
    const length = segments.at(-1)?.charEnd ?? 0;
    await tx.query(
      `insert into document_text (document_id, revision, tenant_id, char_length, block_count, source_hash,
                                  parser_version, normaliser_version)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        revision.documentId,
        revision.revision,
        revision.tenantId,
        length,
        blocks.length,
        revision.sourceHash,
        parserVersion,
        normaliserVersion,
      ],
    );
    for (let from = 0; from < segments.length; from += rowsAtOnce) {
      const part = segments.slice(from, from + rowsAtOnce);
      await tx.query(
        `insert into document_text_segment (document_id, revision, seq, char_start, char_end, content)
         select $1, $2, r.* from unnest($3::int[], $4::int[], $5::int[], $6::text[]) as r`,
        [
          revision.documentId,
          revision.revision,
          part.map((_, i) => from + i),
          part.map(({ charStart }) => charStart),
          part.map(({ charEnd }) => charEnd),
          part.map(({ content }) => content),
        ],
      );
    }
    await this.saveBlocks(tx, revision);
    return length;
  }

  private async saveBlocks(tx: TransactionContext, { documentId, revision, parsed }: NewTextRevision): Promise<void> {
    const pages: string[] = [];
    for (let from = 0; from < parsed.blocks.length; from += blocksPerPage) {
      pages.push(JSON.stringify(parsed.blocks.slice(from, from + blocksPerPage)));
    }
    for (let from = 0; from < pages.length; from += rowsAtOnce) {
      const part = pages.slice(from, from + rowsAtOnce);
      const seqs = part.map((_, i) => from + i);
      await tx.query(
        `insert into document_block_page (document_id, revision, seq, first_ordinal, blocks)
         select $1, $2, r.seq, r.seq * ${blocksPerPage}, r.blocks::jsonb from unnest($3::int[], $4::text[]) as r (seq, blocks)`,
        [documentId, revision, seqs, part],
      );
    }
  }

  /** Removes revisions newer than `revision`: what attempts left that did not come to their end. */
  async removeAfter(tx: TransactionContext, documentId: Id, revision: number): Promise<void> {
    await tx.query('delete from document_text where document_id = $1 and revision > $2', [documentId, revision]);
  }

  /** The text from `from` to before `to`, clipped to its length. Undefined if there is no such revision. */
  async readRange(
    tenantId: TenantId,
    documentId: Id,
    revision: number,
    from: number,
    to: number | undefined,
  ): Promise<TextRange | undefined> {
    const length = await this.lengthOf(tenantId, documentId, revision);
    if (length === undefined) return undefined;
    const end = Math.min(to ?? length, length);
    if (from >= end) return { text: '', length };
    const segments = await this.segments(documentId, revision, from, end);
    const first = segments[0];
    if (!first) throw new Error(`revision ${revision} of document ${documentId} lacks its segments`);
    const points = segments.map(({ content }) => content).join('');
    return { text: codePointSlice(points, from - first.start, end - first.start), length };
  }

  /** The whole text with its blocks. Undefined if there is no such revision. */
  async read(
    tenantId: TenantId,
    documentId: Id,
    revision: number,
  ): Promise<{ text: string; blocks: Block[] } | undefined> {
    const length = await this.lengthOf(tenantId, documentId, revision);
    if (length === undefined) return undefined;
    const segments = await this.segments(documentId, revision, 0, length);
    const pages = await this.database.query<{ blocks: Block[] }>(
      'select blocks from document_block_page where document_id = $1 and revision = $2 order by seq',
      [documentId, revision],
    );
    return { text: segments.map(({ content }) => content).join(''), blocks: pages.flatMap(({ blocks }) => blocks) };
  }

  /** In the order of the text. Undefined if there is no such revision. */
  async listBlocks(
    tenantId: TenantId,
    documentId: Id,
    revision: number,
    page: PageRequest,
  ): Promise<Page<NumberedBlock> | undefined> {
    if ((await this.lengthOf(tenantId, documentId, revision)) === undefined) return undefined;
    const first = page.after === undefined ? 0 : Number(page.after) + 1;
    const pages = await this.database.query<{ firstOrdinal: number; blocks: Block[] }>(
      `select first_ordinal as "firstOrdinal", blocks from document_block_page
        where document_id = $1 and revision = $2 and seq between $3 and $4 order by seq`,
      [documentId, revision, Math.floor(first / blocksPerPage), Math.floor((first + page.limit) / blocksPerPage)],
    );
    const rows = pages
      .flatMap(({ firstOrdinal, blocks }) => blocks.map((block, i) => ({ ...block, ordinal: firstOrdinal + i })))
      .filter(({ ordinal }) => ordinal >= first)
      .slice(0, page.limit + 1);
    return pageOf(rows, page.limit, ({ ordinal }) => String(ordinal));
  }

  private async lengthOf(tenantId: TenantId, documentId: Id, revision: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ length: number }>(
      'select char_length as length from document_text where document_id = $1 and revision = $2 and tenant_id = $3',
      [documentId, revision, tenantId],
    );
    return row?.length;
  }

  private segments(documentId: Id, revision: number, from: number, to: number): Promise<Segment[]> {
    return this.database.query<Segment>(
      `select char_start as start, content from document_text_segment
        where document_id = $1 and revision = $2 and char_end > $3 and char_start < $4 order by seq`,
      [documentId, revision, from, to],
    );
  }
}

/** A slice by code points, in one pass. */
function codePointSlice(text: string, from: number, to: number): string {
  let unit = 0;
  let point = 0;
  const advance = (target: number): number => {
    for (; point < target && unit < text.length; point += 1) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    return unit;
  };
  const start = advance(from);
  return text.slice(start, advance(to));
}
