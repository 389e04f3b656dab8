import type { Id, TenantId } from '../../domain/ids/id.js';
import { Level } from '../../domain/plan/strategy.js';
import type { Chunk } from '../../domain/text/chunk.js';
import type { Database, TransactionContext } from '../database.js';
import { vectorTable } from '../vector-tables.js';

/** Which version chunks belong to. */
export interface ChunkOwner {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly versionId: Id;
}

/** A chunk to write: its id, and for children the segmented text that full-text search is built from. */
export interface NewChunk {
  readonly id: Id;
  readonly chunk: Chunk;
  readonly terms: string | null;
}

export interface UnembeddedChunk {
  readonly ordinal: number;
  readonly content: string;
}

/** What is really in the tables for one version. */
export interface StoredCounts {
  readonly parents: number;
  readonly children: number;
  /** Highest ordinals; −1 for none. With the counts they prove that no ordinal is missing. */
  readonly lastParent: number;
  readonly lastChild: number;
  readonly vectors: number;
  /** Children whose parent ordinal no parent has. */
  readonly orphans: number;
}

/** Chunks and vectors of index versions. */
export class ChunkRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: TransactionContext, owner: ChunkOwner, chunks: readonly NewChunk[]): Promise<void> {
    const rows = chunks.map(({ id, chunk, terms }) => ({
      id,
      level: chunk.level,
      ordinal: chunk.ordinal,
      parent_ordinal: chunk.parentOrdinal ?? null,
      char_start: chunk.charStart,
      char_end: chunk.charEnd,
      content: chunk.text,
      tokens: chunk.tokens,
      overlap_start: chunk.overlapStart,
      heading_path: chunk.headingPath,
      context: chunk.context ?? null,
      rule: chunk.rule,
      forced: chunk.forced ?? false,
      pages: chunk.pages ?? null,
      terms,
    }));
    await tx.query(
      `insert into chunk (id, tenant_id, document_id, knowledge_base_id, version_id, level, ordinal, parent_ordinal,
                          char_start, char_end, content, tokens, overlap_start, heading_path, context, rule, forced,
                          pages, terms)
       select r.id, $2, $3, $4, $5, r.level, r.ordinal, r.parent_ordinal, r.char_start, r.char_end, r.content, r.tokens,
              r.overlap_start, r.heading_path, r.context, r.rule, r.forced, r.pages, to_tsvector('english', r.terms)
         from json_to_recordset($1::json) as r (id bigint, level text, ordinal int, parent_ordinal int, char_start int,
              char_end int, content text, tokens int, overlap_start int, heading_path jsonb, context jsonb, rule text,
              forced boolean, pages jsonb, terms text)`,
      [JSON.stringify(rows), owner.tenantId, owner.documentId, owner.knowledgeBaseId, owner.versionId],
      'chunk-insert',
    );
  }

  /** Children of a version that have no vector yet, in order, after an ordinal. */
  unembedded(owner: ChunkOwner, dimension: number, after: number, limit: number): Promise<UnembeddedChunk[]> {
    return this.database.query<UnembeddedChunk>(
      `select c.ordinal, c.content from chunk c
        where c.version_id = $1 and c.level = '${Level.Child}' and c.ordinal > $3
          and not exists (select 1 from ${vectorTable(dimension)} v
                           where v.knowledge_base_id = $2 and v.version_id = c.version_id and v.ordinal = c.ordinal)
        order by c.ordinal limit $4`,
      [owner.versionId, owner.knowledgeBaseId, after, limit],
      `chunk-unembedded-${dimension}`,
    );
  }

  async vectorCount(owner: ChunkOwner, dimension: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from ${vectorTable(dimension)} where knowledge_base_id = $1 and version_id = $2`,
      [owner.knowledgeBaseId, owner.versionId],
    );
    return row?.count ?? 0;
  }

  async insertVectors(
    tx: TransactionContext,
    owner: ChunkOwner,
    dimension: number,
    vectors: readonly { readonly ordinal: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    await tx.query(
      `insert into ${vectorTable(dimension)} (knowledge_base_id, version_id, ordinal, embedding)
       select $1, $2, r.ordinal, r.embedding::vector from unnest($3::int[], $4::text[]) as r (ordinal, embedding)`,
      [
        owner.knowledgeBaseId,
        owner.versionId,
        vectors.map(({ ordinal }) => ordinal),
        vectors.map(({ vector }) => vectorLiteral(vector)),
      ],
      `vector-insert-${dimension}`,
    );
  }

  async storedCounts(tx: TransactionContext | Database, owner: ChunkOwner, dimension: number): Promise<StoredCounts> {
    const [counts] = await tx.query<StoredCounts>(
      `select count(*) filter (where level = '${Level.Parent}')::int as parents,
              count(*) filter (where level = '${Level.Child}')::int as children,
              coalesce(max(ordinal) filter (where level = '${Level.Parent}'), -1) as "lastParent",
              coalesce(max(ordinal) filter (where level = '${Level.Child}'), -1) as "lastChild",
              count(*) filter (where level = '${Level.Child}' and not exists (
                select 1 from chunk p where p.version_id = c.version_id and p.level = '${Level.Parent}'
                                        and p.ordinal = c.parent_ordinal))::int as orphans,
              (select count(*)::int from ${vectorTable(dimension)} v
                where v.knowledge_base_id = $2 and v.version_id = $1) as vectors
         from chunk c where version_id = $1`,
      [owner.versionId, owner.knowledgeBaseId],
    );
    if (!counts) throw new Error('an aggregate gave no row');
    return counts;
  }

  /** Removes at most `limit` chunks of a version; gives how many there were. */
  async deleteSome(tx: TransactionContext, versionId: Id, limit: number): Promise<number> {
    const rows = await tx.query(
      `delete from chunk where id in (select id from chunk where version_id = $1 limit $2) returning 1`,
      [versionId, limit],
    );
    return rows.length;
  }

  /** Removes at most `limit` vectors of a version; gives how many there were. */
  async deleteSomeVectors(
    tx: TransactionContext,
    version: { readonly id: Id; readonly knowledgeBaseId: Id; readonly dimension: number },
    limit: number,
  ): Promise<number> {
    const table = vectorTable(version.dimension);
    const rows = await tx.query(
      `delete from ${table} where knowledge_base_id = $1 and version_id = $2
          and ordinal in (select ordinal from ${table} where knowledge_base_id = $1 and version_id = $2 limit $3)
       returning 1`,
      [version.knowledgeBaseId, version.id, limit],
    );
    return rows.length;
  }
}

/** pgvector's text form. Nine significant digits give every 32-bit float back exactly. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${Array.from(vector, (component) => Number(component.toPrecision(9))).join(',')}]`;
}
