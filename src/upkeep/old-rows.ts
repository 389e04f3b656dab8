import type { Database } from '../database/database.js';
import type { RetentionRepository } from '../database/repositories/retention-repository.js';
import type { Chore } from './chore.js';

const linesAtOnce = 2_000;

/** Days after which something that is needed no more is removed; 0 keeps it for good. */
type Days = number;

/** The logs of tasks that ended long ago. */
export function oldLogs(database: Database, retention: RetentionRepository, days: Days): Chore {
  return {
    name: 'OLD_TASK_LOG',
    scan: () => (days === 0 ? nothing() : retention.oldLogs(days)),
    settle: async (taskId) => {
      await removeLog(database, retention, taskId);
      return true;
    },
  };
}

/** Tasks that ended long ago and that nothing refers to, with their logs. */
export function oldTasks(database: Database, retention: RetentionRepository, days: Days): Chore {
  return {
    name: 'OLD_TASK',
    scan: () => (days === 0 ? nothing() : retention.oldTasks(days)),
    settle: async (taskId) => {
      await removeLog(database, retention, taskId);
      return database.transaction((tx) => retention.removeTask(tx, taskId));
    },
  };
}

/** Documents with old text revisions that nothing names. */
export function oldTexts(database: Database, retention: RetentionRepository, days: Days): Chore {
  return {
    name: 'OLD_TEXT',
    scan: () => (days === 0 ? nothing() : retention.oldTexts(days)),
    settle: (documentId) => database.transaction((tx) => retention.removeTexts(tx, documentId, days)),
  };
}

async function removeLog(database: Database, retention: RetentionRepository, taskId: string): Promise<void> {
  while ((await database.transaction((tx) => retention.removeLog(tx, taskId, linesAtOnce))) === linesAtOnce);
}

async function* nothing(): AsyncGenerator<readonly string[]> {}
