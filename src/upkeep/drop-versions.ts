import type { Database } from '../database/database.js';
import type { ChunkRepository } from '../database/repositories/chunk-repository.js';
import type { IndexVersionRepository } from '../database/repositories/index-version-repository.js';
import type { Id } from '../domain/ids/id.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const versionsAtOnce = 20;
const rowsAtOnce = 2_000;

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
    for (const version of doomed) await this.drop(version);
    return { dropped: doomed.length };
  }

  private async drop(version: { id: Id; dimension: number; knowledgeBaseId: Id }): Promise<void> {
    const { database, chunks } = this;
    while ((await database.transaction((tx) => chunks.deleteSomeVectors(tx, version, rowsAtOnce))) === rowsAtOnce);
    while ((await database.transaction((tx) => chunks.deleteSome(tx, version.id, rowsAtOnce))) === rowsAtOnce);
    await database.transaction((tx) => this.versions.forget(tx, version.id));
  }
}
