import { expect } from '@jest/globals';
import { TaskStatus } from '../../../domain/task/task-status.js';
import type { DriftCase, DriftScene } from './drift-scene.js';

/** What is served and what lies in it: versions, chunks and vectors. */
export const versionDriftCases: readonly DriftCase[] = [
  {
    kind: 'ACTIVE_VERSION_MISSING',
    cause: async (scene) => {
      await scene.set('index_version', 'state = 3', scene.served.versionId);
      await scene.endTask(scene.served.taskId, TaskStatus.Failed);
      return scene.set('document', 'index_status = 4', scene.served.documentId);
    },
    mended: async (scene) => expect(await scene.document()).toMatchObject({ active_version_id: null, index_status: 4 }),
  },
  {
    kind: 'ACTIVE_VERSION_UNNAMED',
    cause: async (scene) => {
      const newer = await scene.plantNewerVersion();
      await scene.set('index_version', 'state = 2', newer.versionId);
      return scene.set('document', `active_version_id = ${scene.served.versionId}`, scene.served.documentId);
    },
    mended: async (scene) => {
      const { documentId, versionId } = scene.served;
      expect(
        await scene.rows('select state from index_version where document_id = $1 order by version', documentId),
      ).toEqual([{ state: 3 }, { state: 2 }]);
      expect((await scene.document())?.active_version_id).not.toBe(versionId);
      // What was replaced is dropped by a pass of its own, at once.
      await scene.removeServedVersion();
    },
  },
  {
    kind: 'CHUNK_COUNTS_DISAGREE',
    cause: async (scene) => {
      const { documentId, versionId } = scene.served;
      await scene.rows(`delete from chunk where version_id = $1 and level = 'CHILD' and ordinal = 1`, versionId);
      await scene.rows('delete from chunk_vector_384 where version_id = $1 and ordinal = 1', versionId);
      return documentId;
    },
    mended: expectRebuild,
  },
  {
    kind: 'VECTORS_MISSING',
    cause: async (scene) => {
      await scene.rows('delete from chunk_vector_384 where version_id = $1 and ordinal = 0', scene.served.versionId);
      return scene.served.documentId;
    },
    mended: expectRebuild,
  },
  {
    kind: 'VECTORS_SURPLUS',
    cause: async (scene) => {
      await scene.rows(
        `insert into chunk_vector_384 select knowledge_base_id, version_id, 9, embedding from chunk_vector_384 where version_id = $1 and ordinal = 0`,
        scene.served.versionId,
      );
      return scene.served.documentId;
    },
    mended: async (scene) =>
      expect(
        await scene.rows(
          'select ordinal from chunk_vector_384 where version_id = $1 order by 1',
          scene.served.versionId,
        ),
      ).toEqual([{ ordinal: 0 }, { ordinal: 1 }]),
  },
];

async function expectRebuild(scene: DriftScene): Promise<void> {
  const { documentId, planId, versionId } = scene.served;
  const tasks = await scene.rows(
    'select task_type, task_status, plan_id, build_spec from task where document_id = $1 order by id',
    documentId,
  );
  expect(tasks).toHaveLength(2);
  expect(tasks[1]).toMatchObject({ task_type: 4, task_status: 1, plan_id: planId });
  expect(tasks[1]?.build_spec).toEqual(tasks[0]?.build_spec);
  expect(await scene.document()).toMatchObject({ index_status: 2, active_version_id: versionId });
  expect(await scene.rows('select 1 from outbox where aggregate_id = $1', documentId)).toHaveLength(1);
}
