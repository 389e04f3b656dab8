import type { TransactionContext } from '../database/database.js';
import type { ChunkRepository } from '../database/repositories/chunk-repository.js';
import type { IndexVersionRepository } from '../database/repositories/index-version-repository.js';
import type { Id } from '../domain/ids/id.js';

const rowsAtOnce = 2_000;

export interface DroppableVersion {
  readonly id: Id;
  readonly dimension: number;
  readonly knowledgeBaseId: Id;
}

/** Runs one small transaction, fenced where the caller holds a task. */
export type Write = <T>(work: (transaction: TransactionContext) => Promise<T>) => Promise<T>;

/** Removes a version that is not served: vectors and chunks in small transactions, then its row. Safe to run twice. */
export async function dropVersion(
  version: DroppableVersion,
  { versions, chunks }: { readonly versions: IndexVersionRepository; readonly chunks: ChunkRepository },
  write: Write,
): Promise<void> {
  while ((await write((tx) => chunks.deleteSomeVectors(tx, version, rowsAtOnce))) === rowsAtOnce);
  while ((await write((tx) => chunks.deleteSome(tx, version.id, rowsAtOnce))) === rowsAtOnce);
  await write((tx) => versions.forget(tx, version.id));
}
