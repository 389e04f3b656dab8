import type { Database } from '../database/database.js';
import type { ChunkRepository } from '../database/repositories/chunk-repository.js';
import type { IndexVersionRepository } from '../database/repositories/index-version-repository.js';
import { dropVersion } from '../vector-index/drop-version.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const versionsAtOnce = 20;

/** Removes index versions that were replaced or never switched in, in small transactions. */
export class DropVersions implements UpkeepPass {
  readonly name = 'drop-versions';

  constructor(
    private readonly database: Database,
    private readonly versions: IndexVersionRepository,
    private readonly chunks: ChunkRepository,
    readonly intervalMs: number,
  ) {}

  async runOnce(): Promise<PassCounts> {
    const doomed = await this.versions.droppable(versionsAtOnce);
    for (const version of doomed) await dropVersion(version, this.parts, (work) => this.database.transaction(work));
    return { dropped: doomed.length };
  }

  private get parts(): { versions: IndexVersionRepository; chunks: ChunkRepository } {
    return { versions: this.versions, chunks: this.chunks };
  }
}
