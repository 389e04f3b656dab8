import type { BuildSpec } from '../../domain/build-spec.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { Level } from '../../domain/plan/strategy.js';
import type { Database } from '../database.js';

/** A stored chunk as people see it. */
export interface ChunkRow {
  readonly chunkId: Id;
  readonly level: Level;
  readonly ordinal: number;
  readonly parentOrdinal: number | null;
  readonly charStart: number;
  readonly charEnd: number;
  readonly text: string;
  readonly tokens: number;
  readonly overlapStart: number;
  readonly headingPath: string[];
  readonly context: { tableHeader?: string } | null;
  readonly rule: string;
  readonly forced: boolean;
  readonly pages: number[] | null;
}

/** Chunks of the served version, which version that is, and the text that it was cut from. */
export interface ChunkPage extends Page<ChunkRow> {
  readonly version: number | null;
  readonly textRevision: number | null;
}

/** What led to the chunks of one version. */
interface VersionOrigin {
  readonly documentId: Id;
  readonly taskId: Id;
  readonly planId: Id;
  readonly strategySnapshot: string;
  readonly buildSpec: BuildSpec;
  readonly version: number;
  readonly textRevision: number;
  readonly served: boolean;
}

/** A chunk with everything that led to it. */
export interface ExplainedChunk extends VersionOrigin {
  readonly chunk: ChunkRow;
  readonly parent: ChunkRow | null;
}

const columns = (c: string): string =>
  `${c}.id as "chunkId", ${c}.level, ${c}.ordinal, ${c}.parent_ordinal as "parentOrdinal", ${c}.char_start as "charStart",
   ${c}.char_end as "charEnd", ${c}.content as text, ${c}.tokens, ${c}.overlap_start as "overlapStart",
   ${c}.heading_path as "headingPath", ${c}.context, ${c}.rule, ${c}.forced, ${c}.pages`;

/** Reads chunks for people. */
export class ChunkReadRepository {
  constructor(private readonly database: Database) {}

  /** In order. Undefined for an unknown or deleted document. */
  async listActive(
    tenantId: TenantId,
    documentId: Id,
    level: Level,
    page: PageRequest,
  ): Promise<ChunkPage | undefined> {
    const [served] = await this.database.query<{ id: Id | null; version: number | null; textRevision: number | null }>(
      `select v.id, v.version, v.text_revision as "textRevision"
         from document d left join index_version v on v.id = d.active_version_id
        where d.id = $1 and d.tenant_id = $2 and d.deleted_at is null`,
      [documentId, tenantId],
    );
    if (!served) return undefined;
    const rows = await this.database.query<ChunkRow>(
      `select ${columns('c')} from chunk c
        where c.version_id = $1 and c.level = $2 and c.ordinal > $3 order by c.ordinal limit $4`,
      [served.id, level, page.after ?? -1, page.limit + 1],
    );
    const { items, next } = pageOf(rows, page.limit, ({ ordinal }) => String(ordinal));
    return { items, next, version: served.version, textRevision: served.textRevision };
  }

  /** One chunk of any version that is still kept. */
  async explain(tenantId: TenantId, chunkId: Id): Promise<ExplainedChunk | undefined> {
    const [origin] = await this.database.query<VersionOrigin & { versionId: Id }>(
      `select c.document_id as "documentId", v.id as "versionId", v.task_id as "taskId", v.plan_id as "planId",
              t.strategy_snapshot as "strategySnapshot", t.build_spec as "buildSpec", v.version,
              v.text_revision as "textRevision", coalesce(d.active_version_id = v.id, false) as served
         from chunk c
         join index_version v on v.id = c.version_id
         join task t on t.id = v.task_id
         join document d on d.id = c.document_id and d.deleted_at is null
        where c.id = $1 and c.tenant_id = $2`,
      [chunkId, tenantId],
    );
    if (!origin) return undefined;
    const { versionId, ...rest } = origin;
    const chunk = await this.one(versionId, 'c.id = $2', chunkId);
    if (!chunk) return undefined;
    const ofParent = `c.level = '${Level.Parent}' and c.ordinal = $2`;
    const parent = chunk.parentOrdinal === null ? null : await this.one(versionId, ofParent, chunk.parentOrdinal);
    return { ...rest, chunk, parent };
  }

  private async one(versionId: Id, condition: string, value: unknown): Promise<ChunkRow | null> {
    const [row] = await this.database.query<ChunkRow>(
      `select ${columns('c')} from chunk c where c.version_id = $1 and ${condition}`,
      [versionId, value],
    );
    return row ?? null;
  }
}
