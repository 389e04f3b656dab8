import type { ChunkRepository, StoredCounts } from '../../database/repositories/chunk-repository.js';
import type { IndexVersionRepository } from '../../database/repositories/index-version-repository.js';
import type { EmbeddingModel } from '../../domain/build-spec.js';
import { AppError } from '../../domain/errors.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import type { Segmenter } from '../../search/segmenter.js';
import type { OpenVersion, VersionWriter } from '../../vector-index/version-writer.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';
import type { Closing } from '../work-result.js';
import { requireSpec } from './require-spec.js';

export interface IndexWriteParts {
  readonly versions: IndexVersionRepository;
  readonly chunks: ChunkRepository;
  readonly writer: VersionWriter;
  readonly model: EmbeddingModel;
  readonly segmenter: Segmenter;
}

/** Proves that the new version is whole; its closing switches it in and retires the one before. */
export class IndexWrite implements TaskStage {
  readonly stage = Stage.IndexWrite;

  constructor(private readonly parts: IndexWriteParts) {}

  async run(run: TaskRun): Promise<Closing> {
    const { model, segmenter } = this.parts;
    const spec = requireSpec(run.task, { model, segmenterVersion: segmenter.version });
    const version = await this.parts.writer.open(run, spec);
    return async (tx) => {
      // Verified in the transaction that switches: nothing can change in between.
      requireWhole(version, await this.parts.chunks.storedCounts(tx, version.owner, version.dimension));
      await this.parts.versions.activate(tx, run.task.documentId, version.owner.versionId);
      await run.log(tx, TaskEvent.Switched, { version: version.version, chunks: version.childCount });
    };
  }
}

/** @throws AppError INDEX_INCOMPLETE naming what is missing. */
function requireWhole(version: OpenVersion, stored: StoredCounts): void {
  const wrong = [
    stored.parents !== version.parentCount && `${stored.parents} of ${version.parentCount} parents`,
    stored.children !== version.childCount && `${stored.children} of ${version.childCount} children`,
    stored.lastParent !== version.parentCount - 1 && 'a gap in the order of the parents',
    stored.lastChild !== version.childCount - 1 && 'a gap in the order of the children',
    stored.vectors !== version.childCount && `${stored.vectors} of ${version.childCount} vectors`,
    stored.orphans > 0 && `${stored.orphans} children without a parent`,
  ].filter((problem) => problem !== false);
  if (wrong.length > 0) throw new AppError('INDEX_INCOMPLETE', `The new version is not whole: ${wrong.join(', ')}.`);
}
