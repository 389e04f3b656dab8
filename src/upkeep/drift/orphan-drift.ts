import type { Database } from '../../database/database.js';
import type { ChunkRepository } from '../../database/repositories/chunk-repository.js';
import type { OrphanRepository } from '../../database/repositories/drift/orphan-repository.js';
import type { IndexVersionRepository } from '../../database/repositories/index-version-repository.js';
import { dropVersion } from '../../vector-index/drop-version.js';
import type { DriftKind } from './drift-kind.js';

const rowsAtOnce = 2_000;

export interface OrphanDriftParts {
  readonly database: Database;
  readonly orphans: OrphanRepository;
  readonly versions: IndexVersionRepository;
  readonly chunks: ChunkRepository;
}

/** Chunks and vectors of versions that are not there. What is found are the ids of those versions. */
export function orphanDrift({ database, orphans, chunks }: OrphanDriftParts): readonly DriftKind[] {
  return [
    {
      name: 'CHUNKS_WITHOUT_VERSION',
      mendedBy: 'upkeep',
      scan: () => orphans.chunksWithoutVersion(),
      settle: async (id) => {
        if (await orphans.versionExists(id)) return false;
        while ((await database.transaction((tx) => chunks.deleteSome(tx, id, rowsAtOnce))) === rowsAtOnce);
        return true;
      },
    },
    {
      name: 'VECTORS_WITHOUT_VERSION',
      mendedBy: 'upkeep',
      scan: () => orphans.vectorsWithoutVersion(),
      settle: async (id) => {
        const found = await orphans.vectorsOf(id);
        for (const vectors of found) {
          while (
            (await database.transaction((tx) => chunks.deleteSomeVectors(tx, vectors, rowsAtOnce))) === rowsAtOnce
          );
        }
        return found.length > 0;
      },
    },
  ];
}

/**
 * Versions that were replaced or never came to be served, idle for at least `idleMs`: the pass that drops them takes
 * them at once, and whatever is still there much later is told.
 */
export function leftOverVersions({ database, versions, chunks }: OrphanDriftParts, idleMs: number): DriftKind {
  return {
    name: 'VERSION_LEFT_OVER',
    mendedBy: 'upkeep',
    scan: () => versions.leftOver(idleMs),
    settle: async (id) => {
      const version = await versions.droppable(id);
      if (version) await dropVersion(version, { versions, chunks }, (work) => database.transaction(work));
      return version !== undefined;
    },
  };
}
