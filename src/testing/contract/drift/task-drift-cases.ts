import { expect } from '@jest/globals';
import { TaskStatus } from '../../../domain/task/task-status.js';
import { testIds } from '../../factories.js';
import type { DriftCase } from './drift-scene.js';

/** Tasks that stand in the way, are missing, or were never told to a worker, and messages that were given up. */
export const taskDriftCases: readonly DriftCase[] = [
  {
    kind: 'LIVE_TASK_OF_DELETED_DOCUMENT',
    cause: async (scene) => {
      const taskId = await scene.plantTask();
      const { documentId } = scene.served;
      await scene.set('document', 'deleted_at = now(), purged_at = now(), active_version_id = null', documentId);
      await scene.removeServedVersion();
      return taskId;
    },
    mended: async (scene) =>
      expect(
        await scene.rows('select task_status from task where document_id = $1 order by id', scene.served.documentId),
      ).toEqual([{ task_status: TaskStatus.Success }, { task_status: TaskStatus.Cancelled }]),
  },
  {
    kind: 'DELETION_WITHOUT_TASK',
    cause: async (scene) => {
      await scene.set('index_version', 'state = 3', scene.served.versionId);
      return scene.set('document', 'deleted_at = now(), active_version_id = null', scene.served.documentId);
    },
    mended: async (scene) => {
      const { documentId } = scene.served;
      expect(
        await scene.rows('select task_status from task where document_id = $1 and task_type = 3', documentId),
      ).toEqual([{ task_status: TaskStatus.New }]);
      expect(await scene.rows('select 1 from outbox where aggregate_id = $1', documentId)).toHaveLength(1);
    },
  },
  {
    kind: 'TASK_NOT_SENT',
    cause: async (scene) =>
      scene.set(
        'task',
        `sent_at = now() - interval '1 day', created_at = now() - interval '2 days', send_count = 9`,
        await scene.plantTask(),
      ),
    mended: async (scene) =>
      expect(await scene.rows('select status from outbox where aggregate_id = $1', scene.served.documentId)).toEqual([
        { status: 1 },
      ]),
  },
  {
    kind: 'MESSAGE_GIVEN_UP',
    cause: async (scene) => {
      const id = testIds.next();
      await scene.rows(
        `insert into outbox (id, aggregate_id, topic, payload, headers, status, tries) values ($1, 1, 't', '{}', '{}', 3, 12)`,
        id,
      );
      return id;
    },
  },
];
