import { utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import { sourceFolder } from '../../documents/object-store.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { driftKinds } from '../../upkeep/drift/drift-kinds.js';
import { Reconcile, type Finding } from '../../upkeep/reconcile.js';
import { plantDocument, plantTask, testIds, testModel } from '../factories.js';
import { openLocalObjects, type LocalObjects } from '../local-objects.js';
import { plantServedVersion, type PlantedVersion } from '../planted-version.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseKind } from '../test-database.js';

/** One kind of drift: how it is brought about, and what repairing it leaves. */
interface DriftCase {
  readonly kind: string;
  /** Gives the id that must be told. */
  cause(): Promise<Id>;
  /** What is right afterwards, for a look behind the report. */
  mended?(): Promise<void>;
}

const dayMs = 86_400_000;

/** What reconciliation finds, tells and mends, on a database of one kind. */
export function describeReconcile(on: TestDatabaseKind): void {
  describe(`reconciliation on ${on}`, () => {
    let db: TestDatabase;
    let objects: LocalObjects;
    let served: PlantedVersion;

    beforeAll(async () => {
      db = await openTestDatabase({ on });
      await ensureVectorTable(db.database, testModel.dimension);
      objects = await openLocalObjects();
    });
    afterAll(async () => {
      await db.close();
      await objects.close();
    });
    beforeEach(async () => {
      served = await plantServedVersion(db.database, await plantDocument(db.database));
      await putSource(served.documentId);
    });

    const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);
    const set = async (table: string, assignments: string, id: Id) => {
      await rows(`update ${table} set ${assignments} where id = $1`, id);
      return id;
    };
    const document = async () => (await rows('select * from document where id = $1', served.documentId))[0];
    const lines = async (taskId: Id) =>
      (await rows('select event, metadata from task_log where task_id = $1 order by id', taskId)).map(
        ({ event, metadata }) => [event, (metadata as { kind?: string }).kind],
      );

    async function putSource(documentId: Id): Promise<string> {
      const key = `${sourceFolder}/${testIds.next()}`;
      await objects.objects.put(key, Readable.from([Buffer.from('x')]), 10);
      await rows('update document set source_key = $2 where id = $1', documentId, key);
      return key;
    }

    function reconcile(): Reconcile {
      const repositories = repositoriesOn(db.database, testIds);
      const kinds = driftKinds(
        { ...repositories, database: db.database, objects: objects.objects, ids: testIds },
        { maxRetryCount: 3, resendAfterMs: 15_000, fileSafeAgeMs: dayMs, onOutbox: () => undefined },
      );
      return new Reconcile(kinds.all, repositories.upkeep, silentLogger);
    }

    async function find(repair = false): Promise<readonly Finding[]> {
      const report = await reconcile().run(repair ? ['upkeep', 'person'] : [], new AbortController().signal);
      expect(report.incomplete).toEqual([]);
      expect(report.finishedAt.getTime()).toBeGreaterThanOrEqual(report.startedAt.getTime());
      return report.findings;
    }

    const endTask = (taskId: Id, status: number) =>
      set('task', `task_status = ${status}, finished_at = now(), lease_until = null, next_retry_at = null`, taskId);
    /** Keys forbid it; a backup that was restored in part may still bring it about. */
    const withoutKeys = async (work: () => Promise<unknown>) => {
      await rows('alter table chunk disable trigger all');
      await work();
      await rows('alter table chunk enable trigger all');
    };
    const startParse = async (documentId: Id) => {
      const taskId = await plantTask(db.database, served);
      await set('document', 'index_status = 3', documentId);
      return set('task', 'task_type = 1, current_stage = 2, plan_id = null', taskId);
    };

    const cases: readonly DriftCase[] = [
      {
        kind: 'BUILDING_WITHOUT_TASK',
        cause: () => set('document', 'index_status = 2', served.documentId),
        mended: async () => {
          expect(await document()).toMatchObject({ index_status: 3, error: null });
          expect(await lines(served.taskId)).toEqual([['REPAIRED', 'BUILDING_WITHOUT_TASK']]);
        },
      },
      {
        kind: 'INDEX_STATUS_DISAGREES',
        cause: async () => {
          const failed = await plantTask(db.database, served);
          await endTask(failed, 4);
          await set('task', `error = '{"code": "EMBEDDING_FAILED", "message": "m", "stage": 5}'`, failed);
          return set('document', 'index_status = 3', served.documentId);
        },
        mended: async () =>
          expect(await document()).toMatchObject({
            index_status: 4,
            error: { code: 'EMBEDDING_FAILED', message: 'm' },
            active_version_id: served.versionId,
          }),
      },
      {
        kind: 'PARSING_WITHOUT_TASK',
        cause: () => set('document', 'parse_status = 2', served.documentId),
        mended: async () =>
          expect(await document()).toMatchObject({ parse_status: 4, error: { code: 'TASK_MISSING' } }),
      },
      {
        kind: 'PARSE_STATUS_DISAGREES',
        cause: async () => {
          await startParse(served.documentId);
          return served.documentId;
        },
        mended: async () => expect(await document()).toMatchObject({ parse_status: 1 }),
      },
      {
        kind: 'CURRENT_PLAN_MISSING',
        cause: () => set('document', 'current_plan_id = 77', served.documentId),
        mended: async () =>
          expect(await document()).toMatchObject({ current_plan_id: served.planId, strategy_status: 3 }),
      },
      {
        kind: 'STRATEGY_STATUS_DISAGREES',
        cause: () => set('document', 'strategy_status = 2', served.documentId),
        mended: async () => expect(await document()).toMatchObject({ strategy_status: 3 }),
      },
      {
        kind: 'ACTIVE_VERSION_MISSING',
        cause: async () => {
          await set('index_version', 'state = 3', served.versionId);
          await endTask(served.taskId, 4);
          return set('document', 'index_status = 4', served.documentId);
        },
        mended: async () => expect(await document()).toMatchObject({ active_version_id: null, index_status: 4 }),
      },
      {
        kind: 'ACTIVE_VERSION_UNNAMED',
        cause: async () => {
          const newer = await plantNewerVersion();
          await set('index_version', 'state = 2', newer.versionId);
          return set('document', `active_version_id = ${served.versionId}`, served.documentId);
        },
        mended: async () => {
          const states = await rows(
            'select state from index_version where document_id = $1 order by version',
            served.documentId,
          );
          expect(states).toEqual([{ state: 3 }, { state: 2 }]);
          expect((await document())?.active_version_id).not.toBe(served.versionId);
          // What was replaced is dropped by a pass of its own, at once.
          await rows(`delete from chunk where version_id = $1`, served.versionId);
          await rows(`delete from chunk_vector_384 where version_id = $1`, served.versionId);
          await rows(`delete from index_version where id = $1`, served.versionId);
        },
      },
      {
        kind: 'CHUNK_COUNTS_DISAGREE',
        cause: async () => {
          await rows(`delete from chunk where version_id = $1 and level = 'CHILD' and ordinal = 1`, served.versionId);
          await rows('delete from chunk_vector_384 where version_id = $1 and ordinal = 1', served.versionId);
          return served.documentId;
        },
        mended: () => expectRebuild(),
      },
      {
        kind: 'VECTORS_MISSING',
        cause: async () => {
          await rows('delete from chunk_vector_384 where version_id = $1 and ordinal = 0', served.versionId);
          return served.documentId;
        },
        mended: () => expectRebuild(),
      },
      {
        kind: 'VECTORS_SURPLUS',
        cause: async () => {
          await rows(
            `insert into chunk_vector_384 select knowledge_base_id, version_id, 9, embedding from chunk_vector_384 where version_id = $1 and ordinal = 0`,
            served.versionId,
          );
          return served.documentId;
        },
        mended: async () =>
          expect(
            await rows('select ordinal from chunk_vector_384 where version_id = $1 order by 1', served.versionId),
          ).toEqual([{ ordinal: 0 }, { ordinal: 1 }]),
      },
      {
        kind: 'CHUNKS_WITHOUT_VERSION',
        cause: async () => {
          await withoutKeys(() =>
            rows(
              `insert into chunk select $1, tenant_id, document_id, knowledge_base_id, 78, level, ordinal, parent_ordinal, char_start, char_end, content, tokens, overlap_start, heading_path, context, rule from chunk where version_id = $2 and level = 'PARENT'`,
              testIds.next(),
              served.versionId,
            ),
          );
          return '78';
        },
        mended: async () => expect(await rows('select 1 from chunk where version_id = 78')).toEqual([]),
      },
      {
        kind: 'VECTORS_WITHOUT_VERSION',
        cause: async () => {
          await rows(
            `insert into chunk_vector_384 select knowledge_base_id, 79, ordinal, embedding from chunk_vector_384 where version_id = $1`,
            served.versionId,
          );
          return '79';
        },
        mended: async () => expect(await rows('select 1 from chunk_vector_384 where version_id = 79')).toEqual([]),
      },
      {
        kind: 'VERSION_LEFT_OVER',
        cause: async () => {
          const newer = await plantNewerVersion();
          await set('index_version', `activated_at = now() - interval '2 hours'`, newer.versionId);
          await set('task', `finished_at = now() - interval '3 hours'`, served.taskId);
          return set('index_version', `created_at = now() - interval '3 hours'`, served.versionId);
        },
        mended: async () => {
          expect(await rows('select 1 from index_version where id = $1', served.versionId)).toEqual([]);
          expect(await rows('select 1 from chunk where version_id = $1', served.versionId)).toEqual([]);
        },
      },
      {
        kind: 'LIVE_TASK_OF_DELETED_DOCUMENT',
        cause: async () => {
          const taskId = await plantTask(db.database, served);
          await set('document', 'deleted_at = now(), purged_at = now(), active_version_id = null', served.documentId);
          await rows('delete from chunk_vector_384 where version_id = $1', served.versionId);
          await rows('delete from chunk where version_id = $1', served.versionId);
          await rows('delete from index_version where id = $1', served.versionId);
          return taskId;
        },
        mended: async () =>
          expect(
            await rows('select task_status from task where document_id = $1 order by id', served.documentId),
          ).toEqual([{ task_status: 3 }, { task_status: 7 }]),
      },
      {
        kind: 'DELETION_WITHOUT_TASK',
        cause: async () => {
          await rows('update index_version set state = 3 where id = $1', served.versionId);
          return set('document', 'deleted_at = now(), active_version_id = null', served.documentId);
        },
        mended: async () => {
          expect(
            await rows('select task_status from task where document_id = $1 and task_type = 3', served.documentId),
          ).toEqual([{ task_status: 1 }]);
          expect(await rows('select 1 from outbox where aggregate_id = $1', served.documentId)).toHaveLength(1);
        },
      },
      {
        kind: 'TASK_NOT_SENT',
        cause: async () => {
          const taskId = await plantTask(db.database, served);
          return set(
            'task',
            `sent_at = now() - interval '1 day', created_at = now() - interval '2 days', send_count = 9`,
            taskId,
          );
        },
        mended: async () =>
          expect(await rows('select status from outbox where aggregate_id = $1', served.documentId)).toEqual([
            { status: 1 },
          ]),
      },
      {
        kind: 'MESSAGE_GIVEN_UP',
        cause: async () => {
          const id = testIds.next();
          await rows(
            `insert into outbox (id, aggregate_id, topic, payload, headers, status, tries) values ($1, 1, 't', '{}', '{}', 3, 12)`,
            id,
          );
          return id;
        },
      },
      {
        kind: 'FILE_WITHOUT_DOCUMENT',
        cause: async () => {
          const key = await putSource(served.documentId);
          await age(key, 2 * dayMs);
          await putSource(served.documentId);
          return key.slice(sourceFolder.length + 1);
        },
      },
    ];

    /** Another build of the document was switched in; the version before is retired. */
    async function plantNewerVersion(): Promise<PlantedVersion> {
      await set('index_version', 'state = 3', served.versionId);
      return plantServedVersion(db.database, served);
    }

    async function expectRebuild(): Promise<void> {
      const tasks = await rows(
        'select task_type, task_status, plan_id, build_spec from task where document_id = $1 order by id',
        served.documentId,
      );
      expect(tasks).toHaveLength(2);
      expect(tasks[1]).toMatchObject({ task_type: 4, task_status: 1, plan_id: served.planId });
      expect(tasks[1]?.build_spec).toEqual(tasks[0]?.build_spec);
      expect(await document()).toMatchObject({ index_status: 2, active_version_id: served.versionId });
      expect(await rows('select 1 from outbox where aggregate_id = $1', served.documentId)).toHaveLength(1);
    }

    async function age(key: string, byMs: number): Promise<void> {
      const then = new Date(Date.now() - byMs);
      await utimes(objects.path(key), then, then);
    }

    it.each(cases)('finds $kind, leaves it when told to, mends it, and finds it no more', async (drift) => {
      expect(await find()).toEqual([]);
      const id = await drift.cause();
      const found = [{ kind: drift.kind, count: 1, ids: [id], repaired: 0 }];
      expect(await find()).toEqual(found);
      expect(await find()).toEqual(found);
      expect(await find(true)).toEqual([{ ...found[0], repaired: 1 }]);
      await drift.mended?.();
      expect(await find()).toEqual([]);
    });

    it('has a case for every kind that it can mend', () => {
      const { all } = driftKinds(
        { ...repositoriesOn(db.database, testIds), database: db.database, objects: objects.objects, ids: testIds },
        { maxRetryCount: 3, resendAfterMs: 15_000, fileSafeAgeMs: dayMs, onOutbox: () => undefined },
      );
      const mendable = all.filter(({ mendedBy }) => mendedBy !== 'nobody').map(({ name }) => name);
      expect(cases.map(({ kind }) => kind).sort()).toEqual(mendable.sort());
    });

    it('tells of a file that is missing, and cannot bring it back', async () => {
      const key = await putSource(served.documentId);
      await objects.objects.delete(key);
      const found = [{ kind: 'FILE_MISSING', count: 1, ids: [served.documentId], repaired: 0 }];
      expect(await find(true)).toEqual(found);
      expect(await find()).toEqual(found);
      await putSource(served.documentId);
    });
  });
}
