import type { Id, TenantId } from '../../domain/ids/id.js';
import { Level } from '../../domain/plan/strategy.js';
import type { Database } from '../database.js';
import { vectorTable } from '../vector-tables.js';
import { vectorLiteral } from './chunk-repository.js';

/** What a search looks through: served versions of a tenant, of some bases or all, of some documents or all. */
export interface SearchScope {
  readonly tenantId: TenantId;
  readonly knowledgeBaseIds?: readonly Id[];
  readonly documentIds?: readonly Id[];
}

/** A child that one of the two halves found. */
export interface Candidate {
  readonly versionId: Id;
  readonly ordinal: number;
  /** 0–1. */
  readonly score: number;
}

export interface FoundChunk {
  readonly chunkId: Id;
  readonly versionId: Id;
  readonly documentId: Id;
  readonly title: string;
  readonly ordinal: number;
  readonly content: string;
  readonly charStart: number;
  readonly charEnd: number;
  readonly headingPath: string[];
  readonly context: { tableHeader?: string } | null;
  readonly parent: FoundParent;
}

export interface FoundParent {
  readonly chunkId: Id;
  readonly ordinal: number;
  readonly text: string;
  readonly charStart: number;
  readonly charEnd: number;
  readonly headingPath: string[];
}

/** Rows that the text half ranks closely; the best of them by a cheaper rank are taken. */
const rankedMatches = 300;

/** BM25 (Robertson and Zaragoza, 2009) with its usual constants; df and length are those of the ranked matches. */
const saturation = 1.2;
const lengthShare = 0.75;

const scopeJoin = (versionColumn: string): string => `
  join document d on d.active_version_id = ${versionColumn} and d.tenant_id = $1 and d.deleted_at is null
   and ($2::bigint[] is null or d.knowledge_base_id = any($2))
   and ($3::bigint[] is null or d.id = any($3))
  join knowledge_base b on b.id = d.knowledge_base_id and b.deleted_at is null`;

/** Finds children of served versions. */
export class SearchRepository {
  constructor(private readonly database: Database) {}

  /** The nearest children by cosine, best first; an exact scan of the scope. */
  nearest(scope: SearchScope, vector: Float32Array, limit: number): Promise<Candidate[]> {
    const table = vectorTable(vector.length);
    return this.database.query<Candidate>(
      `select v.version_id as "versionId", v.ordinal,
              greatest(0, least(1, 1 - (v.embedding <=> $4::vector)))::float8 as score
         from ${table} v ${scopeJoin('v.version_id')}
        where $2::bigint[] is null or v.knowledge_base_id = any($2)
        order by v.embedding <=> $4::vector, v.version_id, v.ordinal
        limit $5`,
      [...scopeParameters(scope), vectorLiteral(vector), limit],
      `search-nearest-${vector.length}`,
    );
  }

  /** Children that hold any of the terms, best first. `terms` is segmented text: nothing in it is an operator. */
  matching(scope: SearchScope, terms: string, limit: number): Promise<Candidate[]> {
    return this.database.query<Candidate>(
      `with asked as materialized (
         select array_agg(lexeme) as lexemes,
                string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')::tsquery as query
           from unnest(to_tsvector('english', $4))
       ), matches as materialized (
         select c.version_id, c.ordinal, c.terms, length(c.terms) as size
           from asked, chunk c ${scopeJoin('c.version_id')}
          where c.level = '${Level.Child}' and c.terms @@ asked.query
          order by ts_rank(c.terms, asked.query) desc, c.id
          limit ${rankedMatches}
       ), counted as materialized (
         select m.version_id, m.ordinal, m.size, l.lexeme, cardinality(l.positions) as tf
           from matches m, asked, unnest(m.terms) l
          where l.lexeme = any(asked.lexemes)
       ), pool as (
         select count(*)::float8 as n, greatest(avg(size), 1)::float8 as mean from matches
       ), weights as (
         select lexeme, ln(1 + ((select n from pool) - count(*) + 0.5) / (count(*) + 0.5)) as idf
           from counted group by lexeme
       ), most as (
         select sum(coalesce(w.idf, ln(1 + ((select n from pool) + 0.5) / 0.5))) * ${saturation + 1} as score
           from asked, unnest(asked.lexemes) a left join weights w on w.lexeme = a
       )
       select c.version_id as "versionId", c.ordinal,
              least(1, sum(w.idf * c.tf * ${saturation + 1} / (c.tf + ${saturation} * (${1 - lengthShare} + ${lengthShare} * c.size / pool.mean)))
                       / greatest((select score from most), 1e-9))::float8 as score
         from counted c join weights w using (lexeme), pool
        group by c.version_id, c.ordinal
        order by 3 desc, 1, 2
        limit $5`,
      [...scopeParameters(scope), terms, limit],
      'search-matching',
    );
  }

  /** What a person sees of the candidates, in no order, with their parents. */
  read(candidates: readonly Pick<Candidate, 'versionId' | 'ordinal'>[]): Promise<FoundChunk[]> {
    return this.database.query<FoundChunk>(
      `select c.id as "chunkId", c.version_id as "versionId", c.document_id as "documentId", d.title, c.ordinal,
              c.content, c.char_start as "charStart", c.char_end as "charEnd", c.heading_path as "headingPath", c.context,
              jsonb_build_object('chunkId', p.id::text, 'ordinal', p.ordinal, 'text', p.content,
                                 'charStart', p.char_start, 'charEnd', p.char_end, 'headingPath', p.heading_path) as parent
         from unnest($1::bigint[], $2::int[]) as r (version_id, ordinal)
         join chunk c on c.version_id = r.version_id and c.level = '${Level.Child}' and c.ordinal = r.ordinal
         join chunk p on p.version_id = c.version_id and p.level = '${Level.Parent}' and p.ordinal = c.parent_ordinal
         join document d on d.id = c.document_id and d.deleted_at is null`,
      [candidates.map(({ versionId }) => versionId), candidates.map(({ ordinal }) => ordinal)],
      'search-read',
    );
  }

  /** Those of the ids that name no base of the tenant. */
  async unknownBases(tenantId: TenantId, ids: readonly Id[]): Promise<Id[]> {
    const rows = await this.database.query<{ id: Id }>(
      `select r.id from unnest($2::bigint[]) as r (id)
        where not exists (select 1 from knowledge_base b where b.id = r.id and b.tenant_id = $1 and b.deleted_at is null)`,
      [tenantId, ids],
    );
    return rows.map(({ id }) => id);
  }
}

function scopeParameters(scope: SearchScope): unknown[] {
  return [scope.tenantId, scope.knowledgeBaseIds ?? null, scope.documentIds ?? null];
}
