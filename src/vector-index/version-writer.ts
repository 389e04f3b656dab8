import type { ChunkOwner, ChunkRepository, NewChunk } from '../database/repositories/chunk-repository.js';
import {
  VersionState,
  type IndexVersionRepository,
  type VersionTask,
} from '../database/repositories/index-version-repository.js';
import type { TransactionContext } from '../database/database.js';
import type { BuildSpec } from '../domain/build-spec.js';
import type { Id } from '../domain/ids/id.js';
import { Level } from '../domain/plan/strategy.js';
import type { Chunk, CutResult } from '../domain/text/chunk.js';
import type { Segmenter } from '../search/segmenter.js';

/** Rows in one statement; bounds its size and how long it holds the database. */
const insertBatch = 500;
const deleteBatch = 2_000;

/** A version that a task is writing. */
export interface OpenVersion {
  readonly owner: ChunkOwner;
  readonly version: number;
  readonly dimension: number;
  /** As recorded when its chunks were complete; 0 before. */
  readonly parentCount: number;
  readonly childCount: number;
}

/** Whoever writes under a fence: a task's run. */
export interface FencedWriter {
  readonly task: VersionTask;
  write<T>(work: (transaction: TransactionContext) => Promise<T>): Promise<T>;
}

/** Writes one index version aside, in bounded fenced transactions. */
export class VersionWriter {
  constructor(
    private readonly versions: IndexVersionRepository,
    private readonly chunks: ChunkRepository,
    private readonly segmenter: Segmenter,
    private readonly ids: { next(): Id },
  ) {}

  /** The version of the task: made the first time, found again by every later stage and attempt. */
  async open(run: FencedWriter, spec: BuildSpec): Promise<OpenVersion> {
    const { task } = run;
    const row = await run.write((tx) => this.versions.openFor(tx, this.ids.next(), task, spec));
    if (row.state === VersionState.Retired) throw new Error(`version ${row.id} of a live task is retired`);
    return {
      owner: {
        tenantId: task.tenantId,
        documentId: task.documentId,
        knowledgeBaseId: task.knowledgeBaseId,
        versionId: row.id,
      },
      version: row.version,
      dimension: spec.model.dimension,
      parentCount: row.parentCount,
      childCount: row.childCount,
    };
  }

  /** Replaces whatever an earlier attempt left of the version by the chunks of `cut`. */
  async writeChunks(run: FencedWriter, version: OpenVersion, cut: CutResult): Promise<void> {
    await this.clear(run, version);
    for (const list of [cut.parents, cut.children]) {
      for (let from = 0; from < list.length; from += insertBatch) {
        const rows = list.slice(from, from + insertBatch).map((chunk) => this.rowOf(chunk));
        await run.write((tx) => this.chunks.insert(tx, version.owner, rows));
      }
    }
  }

  async recordCounts(tx: TransactionContext, version: OpenVersion, cut: CutResult): Promise<void> {
    await this.versions.recordCounts(tx, version.owner.versionId, {
      parentCount: cut.parents.length,
      childCount: cut.children.length,
      tokenCount: cut.children.reduce((sum, { tokens }) => sum + tokens, 0),
      coverage: cut.coverage,
    });
  }

  private rowOf(chunk: Chunk): NewChunk {
    const searched = chunk.level === Level.Child;
    return { id: this.ids.next(), chunk, terms: searched ? this.segmenter.segment(searchText(chunk)) : null };
  }

  private async clear(run: FencedWriter, { owner, dimension }: OpenVersion): Promise<void> {
    const vectors = { id: owner.versionId, knowledgeBaseId: owner.knowledgeBaseId, dimension };
    while ((await run.write((tx) => this.chunks.deleteSomeVectors(tx, vectors, deleteBatch))) === deleteBatch);
    while ((await run.write((tx) => this.chunks.deleteSome(tx, owner.versionId, deleteBatch))) === deleteBatch);
  }
}

/** What full-text search looks at: the chunk, and the headings and table header it is read under. */
function searchText(chunk: Chunk): string {
  return [...chunk.headingPath, chunk.context?.tableHeader ?? '', chunk.text].join('\n');
}
