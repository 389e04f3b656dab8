import { startDeletion, type DeletionOptions, type DeletionParts } from '../../builds/start-deletion.js';
import type { Database, TransactionContext } from '../../database/database.js';
import type { TaskDriftRepository } from '../../database/repositories/drift/task-drift-repository.js';
import type { TaskCommandRepository } from '../../database/repositories/task-command-repository.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { taskMessage } from '../../messaging/task-message.js';
import type { DriftKind } from './drift-kind.js';

/** A deletion that failed for good is begun anew this often at most. */
const deletionRestMs = 3_600_000;

export interface TaskDriftParts extends DeletionParts {
  readonly database: Database;
  readonly taskDrift: TaskDriftRepository;
  readonly commands: TaskCommandRepository;
}

export interface TaskDriftOptions extends DeletionOptions {
  readonly resendAfterMs: number;
}

/** Tasks that nobody works on or that have nothing to work on, and messages that were given up. */
export function taskDrift(parts: TaskDriftParts, options: TaskDriftOptions): readonly DriftKind[] {
  const { database, taskDrift: drift } = parts;
  const within = (work: (tx: TransactionContext, id: string) => Promise<boolean>) => (id: string) =>
    database.transaction((tx) => work(tx, id));
  return [
    {
      name: 'LIVE_TASK_OF_DELETED_DOCUMENT',
      mendedBy: 'upkeep',
      scan: () => drift.ofDeletedDocuments(),
      settle: within(async (tx, id) => {
        const tenantId = await drift.tenantOf(tx, id);
        if (!tenantId) return false;
        await parts.commands.lockOwnerOf(tx, tenantId, id);
        return (await parts.commands.cancel(tx, tenantId, { taskId: id })).length === 1;
      }),
    },
    {
      name: 'DELETION_WITHOUT_TASK',
      mendedBy: 'upkeep',
      scan: () => drift.deletionsWithoutTask(),
      settle: within(async (tx, id) => {
        const owner = await drift.lockAbandoned(tx, id, deletionRestMs);
        if (owner) await startDeletion(tx, parts, options, { ...owner, priority: TaskPriority.Bulk });
        return owner !== undefined;
      }),
    },
    {
      name: 'TASK_NOT_SENT',
      mendedBy: 'upkeep',
      scan: () => drift.unsent(options.resendAfterMs),
      settle: within(async (tx, id) => {
        const task = await drift.takeUnsent(tx, id, options.resendAfterMs);
        if (task) await parts.outbox.append(tx, [taskMessage(task)]);
        return task !== undefined;
      }),
    },
    {
      name: 'MESSAGE_GIVEN_UP',
      mendedBy: 'person',
      scan: () => drift.messagesGivenUp(),
      settle: within((tx, id) => drift.requeueMessage(tx, id)),
    },
  ];
}
