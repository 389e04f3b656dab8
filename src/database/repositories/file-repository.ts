import { AppError } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import type { Database, TransactionContext } from '../database.js';
import { scanRows } from './drift/row-scan.js';

/** A document and the key of its source. */
export interface OwnedFile {
  readonly documentId: Id;
  readonly key: string;
}

/** A document owns the file it names until nothing is left of it. */
const owners = 'from document where purged_at is null and source_key';

/**
 * Makes sure that a file is there for as long as the transaction may come to name it: it waits for whoever clears it
 * away, and keeps others from beginning.
 *
 * @throws AppError STORAGE_UNAVAILABLE if it was cleared away.
 */
export async function holdFile(tx: TransactionContext, key: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${lockOf})`, [key]);
  // A statement of its own: what the lock had to wait for is visible to it.
  const removed = await tx.query('select 1 from removed_file where key = $1', [key]);
  if (removed.length === 0) return;
  throw new AppError('STORAGE_UNAVAILABLE', 'The upload took so long that its file was cleared away. Upload it again.');
}

const lockOf = `hashtextextended('file ' || $1, 0)`;

/** Which files documents own, and which may be cleared away. */
export class FileRepository {
  constructor(private readonly database: Database) {}

  /** Those of the keys that no document names. */
  async unowned(keys: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(
      `select k.key from unnest($1::text[]) as k (key) where not exists (select 1 ${owners} = k.key)`,
      [keys],
    );
    return rows.map(({ key }) => key);
  }

  /**
   * Gives a file up: true if no document names it, and from the commit on none can. A transaction that is about to name
   * it is waited for.
   */
  async giveUp(tx: TransactionContext, key: string): Promise<boolean> {
    await tx.query(`select pg_advisory_xact_lock(${lockOf})`, [key]);
    const owned = await tx.query(`select 1 ${owners} = $1 limit 1`, [key]);
    if (owned.length > 0) return false;
    await tx.query('insert into removed_file (key) values ($1) on conflict do nothing', [key]);
    return true;
  }

  /** Ids of all documents that are not deleted. */
  documents(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, { table: 'document', candidates: 'deleted_at is null', meant: 'true' });
  }

  async sourcesOf(documentIds: readonly Id[]): Promise<OwnedFile[]> {
    return this.database.query<OwnedFile>(
      `select id as "documentId", source_key as key from document where id = any($1) and deleted_at is null order by id`,
      [documentIds],
    );
  }
}
