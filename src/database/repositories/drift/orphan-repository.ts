import type { Id } from '../../../domain/ids/id.js';
import type { Database } from '../../database.js';
import { vectorTable } from '../../vector-tables.js';

/** Versions that are looked at in one statement. */
const versionsAtOnce = 500;

/** Vectors of a version that is not there. */
export interface OrphanedVectors {
  readonly id: Id;
  readonly knowledgeBaseId: Id;
  readonly dimension: number;
}

/** Finds chunks and vectors whose version is not there, by leaping from version to version through their keys. */
export class OrphanRepository {
  constructor(private readonly database: Database) {}

  /** Ids of versions that only their chunks know. */
  async *chunksWithoutVersion(): AsyncGenerator<readonly Id[]> {
    for (let after: Id | null = '0'; after !== null;) {
      const step: { last: Id | null; found: Id[] } = await this.leapChunks(after);
      yield step.found;
      after = step.last;
    }
  }

  /** Ids of versions that only their vectors know. */
  async *vectorsWithoutVersion(): AsyncGenerator<readonly Id[]> {
    for (const dimension of await this.dimensions()) {
      for (let after: [Id, Id] | null = ['0', '0']; after !== null;) {
        const seen: OrphanSight[] = await this.leapVectors(dimension, after);
        yield seen.filter(({ orphaned }) => orphaned).map(({ id }) => id);
        const last: OrphanSight | undefined = seen.at(-1);
        after = last && seen.length === versionsAtOnce ? [last.knowledgeBaseId, last.id] : null;
      }
    }
  }

  /** Where the vectors of a version lie that is not there. */
  async vectorsOf(versionId: Id): Promise<OrphanedVectors[]> {
    const found: OrphanedVectors[] = [];
    for (const dimension of await this.dimensions()) {
      const rows = await this.database.query<{ knowledgeBaseId: Id }>(
        `select distinct knowledge_base_id as "knowledgeBaseId" from ${vectorTable(dimension)}
          where version_id = $1 and not exists (select 1 from index_version where id = $1)`,
        [versionId],
      );
      found.push(...rows.map(({ knowledgeBaseId }) => ({ id: versionId, knowledgeBaseId, dimension })));
    }
    return found;
  }

  async versionExists(versionId: Id): Promise<boolean> {
    return (await this.database.query('select 1 from index_version where id = $1', [versionId])).length === 1;
  }

  private async leapChunks(after: Id): Promise<{ last: Id | null; found: Id[] }> {
    const rows = await this.database.query<{ id: Id; orphaned: boolean }>(
      `with recursive versions (id) as (
         select min(version_id) from chunk where version_id > $1
         union all
         select (select min(version_id) from chunk where version_id > versions.id) from versions where versions.id is not null
       )
       select id, not exists (select 1 from index_version v where v.id = versions.id) as orphaned
         from versions where id is not null limit $2`,
      [after, versionsAtOnce],
    );
    return {
      last: rows.length === versionsAtOnce ? (rows.at(-1)?.id ?? null) : null,
      found: rows.filter(({ orphaned }) => orphaned).map(({ id }) => id),
    };
  }

  private leapVectors(dimension: number, [base, version]: [Id, Id]): Promise<OrphanSight[]> {
    const table = vectorTable(dimension);
    return this.database.query<OrphanSight>(
      `with recursive versions as (
         (select knowledge_base_id as base, version_id as id from ${table}
           where (knowledge_base_id, version_id) > ($1, $2) order by 1, 2 limit 1)
         union all
         select n.base, n.id from versions, lateral (
           select knowledge_base_id as base, version_id as id from ${table}
            where (knowledge_base_id, version_id) > (versions.base, versions.id)
            order by knowledge_base_id, version_id limit 1) n
       )
       select base as "knowledgeBaseId", id, not exists (select 1 from index_version v where v.id = versions.id) as orphaned
         from versions limit $3`,
      [base, version, versionsAtOnce],
    );
  }

  /** Of the vector tables that there are. */
  private async dimensions(): Promise<number[]> {
    const rows = await this.database.query<{ dimension: number }>(
      `select substring(tablename from '\\d+$')::int as dimension from pg_tables
        where schemaname = any(current_schemas(false)) and tablename ~ '^chunk_vector_\\d+$' order by 1`,
    );
    return rows.map(({ dimension }) => dimension);
  }
}

interface OrphanSight {
  readonly knowledgeBaseId: Id;
  readonly id: Id;
  readonly orphaned: boolean;
}
