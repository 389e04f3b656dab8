import { expect } from '@jest/globals';
import { TaskStatus } from '../../../domain/task/task-status.js';
import type { DriftCase } from './drift-scene.js';

/** Statuses of a document, and what it names, that its tasks, versions and plans do not bear out. */
export const documentDriftCases: readonly DriftCase[] = [
  {
    kind: 'BUILDING_WITHOUT_TASK',
    cause: (scene) => scene.set('document', 'index_status = 2', scene.served.documentId),
    mended: async (scene) => {
      expect(await scene.document()).toMatchObject({ index_status: 3, error: null });
      expect(await scene.lines(scene.served.taskId)).toEqual([['REPAIRED', 'BUILDING_WITHOUT_TASK']]);
    },
  },
  {
    kind: 'INDEX_STATUS_DISAGREES',
    cause: async (scene) => {
      const failed = await scene.endTask(await scene.plantTask(), TaskStatus.Failed);
      await scene.set('task', `error = '{"code": "EMBEDDING_FAILED", "message": "m", "stage": 5}'`, failed);
      return scene.set('document', 'index_status = 3', scene.served.documentId);
    },
    mended: async (scene) =>
      expect(await scene.document()).toMatchObject({
        index_status: 4,
        error: { code: 'EMBEDDING_FAILED', message: 'm' },
        active_version_id: scene.served.versionId,
      }),
  },
  {
    kind: 'PARSING_WITHOUT_TASK',
    cause: (scene) => scene.set('document', 'parse_status = 2', scene.served.documentId),
    mended: async (scene) =>
      expect(await scene.document()).toMatchObject({ parse_status: 4, error: { code: 'TASK_MISSING' } }),
  },
  {
    kind: 'PARSE_STATUS_DISAGREES',
    cause: async (scene) => {
      await scene.set('task', 'task_type = 1, current_stage = 2, plan_id = null', await scene.plantTask());
      return scene.set('document', 'index_status = 3', scene.served.documentId);
    },
    mended: async (scene) => expect(await scene.document()).toMatchObject({ parse_status: 1 }),
  },
  {
    kind: 'CURRENT_PLAN_MISSING',
    cause: (scene) => scene.set('document', 'current_plan_id = 77', scene.served.documentId),
    mended: async (scene) =>
      expect(await scene.document()).toMatchObject({ current_plan_id: scene.served.planId, strategy_status: 3 }),
  },
  {
    kind: 'STRATEGY_STATUS_DISAGREES',
    cause: (scene) => scene.set('document', 'strategy_status = 2', scene.served.documentId),
    mended: async (scene) => expect(await scene.document()).toMatchObject({ strategy_status: 3 }),
  },
];
