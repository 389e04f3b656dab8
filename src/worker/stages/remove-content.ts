import type { ChunkRepository } from '../../database/repositories/chunk-repository.js';
import type { DeletionRepository, Remains } from '../../database/repositories/deletion-repository.js';
import type { IndexVersionRepository } from '../../database/repositories/index-version-repository.js';
import type { ObjectStore } from '../../documents/object-store.js';
import { Stage } from '../../domain/task/stage.js';
import { dropVersion } from '../../vector-index/drop-version.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';
import type { Closing } from '../work-result.js';

const documentsAtOnce = 20;

export interface RemoveContentParts {
  readonly deletions: DeletionRepository;
  readonly versions: IndexVersionRepository;
  readonly chunks: ChunkRepository;
  readonly objects: ObjectStore;
}

/** Removes what is left of a deleted document, or of all documents of a deleted base, in small fenced transactions. */
export class RemoveContent implements TaskStage {
  readonly stage = Stage.IndexWrite;

  constructor(private readonly parts: RemoveContentParts) {}

  async run(run: TaskRun): Promise<Closing> {
    const { documentId, knowledgeBaseId } = run.task;
    const scope = documentId === knowledgeBaseId ? { knowledgeBaseId } : { knowledgeBaseId, documentId };
    const total = await this.parts.deletions.countRemains(scope);
    let done = 0;
    for (;;) {
      const remains = await this.parts.deletions.remains(scope, documentsAtOnce);
      if (remains.length === 0) return () => Promise.resolve();
      for (const each of remains) await this.remove(run, each, (done += 1), total);
    }
  }

  private async remove(run: TaskRun, { documentId, sourceKey }: Remains, done: number, total: number): Promise<void> {
    const { deletions, versions, chunks, objects } = this.parts;
    const retired = await run.write((tx) => deletions.retireVersions(tx, documentId));
    for (const version of retired) await dropVersion(version, { versions, chunks }, (work) => run.write(work));
    await objects.delete(sourceKey);
    await run.write(async (tx) => {
      await deletions.purge(tx, documentId);
      await run.advance(tx, done, total);
    });
  }
}
