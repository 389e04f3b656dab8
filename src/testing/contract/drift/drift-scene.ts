import { utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import { repositoriesOn } from '../../../composition/repositories.js';
import { ensureVectorTable } from '../../../database/vector-tables.js';
import { sourceFolder } from '../../../documents/object-store.js';
import type { Id } from '../../../domain/ids/id.js';
import type { TaskStatus } from '../../../domain/task/task-status.js';
import { silentLogger } from '../../../logging/logger.js';
import { driftKinds } from '../../../upkeep/drift/drift-kinds.js';
import { Reconcile, type Finding } from '../../../upkeep/reconcile.js';
import { plantDocument, plantTask, testIds, testModel } from '../../factories.js';
import { openLocalObjects, type LocalObjects } from '../../local-objects.js';
import { plantServedVersion, type PlantedVersion } from '../../planted-version.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseKind } from '../../test-database.js';

/** One kind of drift: how it is brought about, and what repairing it leaves. */
export interface DriftCase {
  readonly kind: string;
  /** Gives the id that must be told. */
  cause(scene: DriftScene): Promise<Id>;
  /** What is right afterwards, for a look behind the report. */
  mended?(scene: DriftScene): Promise<void>;
}

export const dayMs = 86_400_000;

/** A database and an object store with one served document at a time, to bring drift about in and to reconcile. */
export class DriftScene {
  private planted: PlantedVersion | undefined;

  private constructor(
    private readonly db: TestDatabase,
    private readonly store: LocalObjects,
  ) {}

  static async open(on: TestDatabaseKind): Promise<DriftScene> {
    const db = await openTestDatabase({ on });
    await ensureVectorTable(db.database, testModel.dimension);
    return new DriftScene(db, await openLocalObjects());
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.store.close();
  }

  /** Puts a new document in place of the one before; it is served, and has its source. */
  async begin(): Promise<void> {
    this.planted = await plantServedVersion(this.db.database, await plantDocument(this.db.database));
    await this.putSource();
  }

  /** The document that is served, with the version that {@link begin} gave it. */
  get served(): PlantedVersion {
    if (!this.planted) throw new Error('nothing was planted yet');
    return this.planted;
  }

  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return this.db.database.query(sql, values);
  }

  /** Changes one row behind the service's back, and gives its id. */
  async set(table: string, assignments: string, id: Id): Promise<Id> {
    await this.rows(`update ${table} set ${assignments} where id = $1`, id);
    return id;
  }

  async document(): Promise<Record<string, unknown> | undefined> {
    return (await this.rows('select * from document where id = $1', this.served.documentId))[0];
  }

  /** Event and kind of repair of every line in the log of a task. */
  async lines(taskId: Id): Promise<unknown[][]> {
    const lines = await this.rows('select event, metadata from task_log where task_id = $1 order by id', taskId);
    return lines.map(({ event, metadata }) => [event, (metadata as { kind?: string }).kind]);
  }

  /** A second, live task of the document. */
  plantTask(): Promise<Id> {
    return plantTask(this.db.database, this.served);
  }

  endTask(taskId: Id, status: TaskStatus): Promise<Id> {
    return this.set(
      'task',
      `task_status = ${status}, finished_at = now(), lease_until = null, next_retry_at = null`,
      taskId,
    );
  }

  /** Another build of the document was switched in; the version before is retired. */
  async plantNewerVersion(): Promise<PlantedVersion> {
    await this.set('index_version', 'state = 3', this.served.versionId);
    return plantServedVersion(this.db.database, this.served);
  }

  /** Takes the version that {@link begin} gave it away, with all that lies in it. */
  async removeServedVersion(): Promise<void> {
    const { versionId } = this.served;
    await this.rows('delete from chunk where version_id = $1', versionId);
    await this.rows('delete from chunk_vector_384 where version_id = $1', versionId);
    await this.rows('delete from index_version where id = $1', versionId);
  }

  /** Gives the document another source file, and its key. */
  async putSource(): Promise<string> {
    const key = `${sourceFolder}/${testIds.next()}`;
    await this.store.objects.put(key, Readable.from([Buffer.from('x')]), 10);
    await this.rows('update document set source_key = $2 where id = $1', this.served.documentId, key);
    return key;
  }

  removeFile(key: string): Promise<void> {
    return this.store.objects.delete(key);
  }

  async age(key: string, byMs: number): Promise<void> {
    const then = new Date(Date.now() - byMs);
    await utimes(this.store.path(key), then, then);
  }

  get kinds() {
    const { database } = this.db;
    return driftKinds(
      { ...repositoriesOn(database, testIds), database, objects: this.store.objects, ids: testIds },
      { maxRetryCount: 3, resendAfterMs: 15_000, fileSafeAgeMs: dayMs, onOutbox: () => undefined },
    ).all;
  }

  async find(repair = false): Promise<readonly Finding[]> {
    const reconcile = new Reconcile(this.kinds, repositoriesOn(this.db.database, testIds).upkeep, silentLogger);
    const report = await reconcile.run(repair ? ['upkeep', 'person'] : [], new AbortController().signal);
    expect(report.incomplete).toEqual([]);
    expect(report.finishedAt.getTime()).toBeGreaterThanOrEqual(report.startedAt.getTime());
    return report.findings;
  }
}
