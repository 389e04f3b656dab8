import { CommitOutcomeUnknown, type TransactionContext } from '../database/database.js';
import type { IndexVersionRepository } from '../database/repositories/index-version-repository.js';
import type { DocumentRepository } from '../database/repositories/document-repository.js';
import type { TaskEnding, TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import { assertNever } from '../domain/assert-never.js';
import { AppError, failureOf } from '../domain/errors.js';
import type { TaskFailure } from '../domain/task/progress.js';
import { stagesOf } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { TaskType } from '../domain/task/task-type.js';
import type { Logger } from '../logging/logger.js';
import { retryDelay, type RetryPolicy } from './retry-policy.js';
import type { TaskRun } from './task-run.js';
import { TaskLost, type Closing, type WorkResult } from './work-result.js';

export interface TaskReporterParts {
  readonly leases: TaskLeaseRepository;
  readonly versions: IndexVersionRepository;
  readonly documents: DocumentRepository;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Turns the result of an attempt into the task's next status, its document's, and the line that says so. */
export class TaskReporter {
  constructor(private readonly parts: TaskReporterParts) {}

  /** Rejects only if the database does: the lease then ends and the work goes on elsewhere. */
  async report(result: WorkResult): Promise<void> {
    const { task } = result.run;
    const logger = this.parts.logger.child({ taskId: task.id, documentId: task.documentId, attempt: task.attempt });
    try {
      await this.write(result, logger);
    } catch (error) {
      if (error instanceof TaskLost) logger.info('task went on elsewhere');
      else if (error instanceof CommitOutcomeUnknown) logger.warn('result may not be stored', { error });
      else throw error;
    }
  }

  private write(result: WorkResult, logger: Logger): Promise<void> {
    switch (result.type) {
      case 'completed':
        logger.info('task succeeded');
        return this.succeed(result.run, result.close);
      case 'failed':
        return this.fail(result.run, result.error, logger);
      case 'released':
        logger.info('task given back');
        return this.giveBack(result.run);
      case 'superseded':
        logger.info('task went on elsewhere');
        return Promise.resolve();
      default:
        return assertNever(result);
    }
  }

  private succeed(run: TaskRun, close: Closing): Promise<void> {
    return run.write(
      async (tx) => {
        await close(tx);
        const last = stagesOf(run.task.taskType).at(-1);
        if (last) run.markSucceeded(last.stage, 1);
        await this.release(tx, run, { status: TaskStatus.Success, error: null, countsAsRetry: false });
        await run.log(tx, TaskEvent.Success);
      },
      { lockDocument: true },
    );
  }

  private fail(run: TaskRun, error: unknown, logger: Logger): Promise<void> {
    const { task } = run;
    const retryable = error instanceof AppError && error.retryable;
    const failure: TaskFailure = { ...failureOf(error), stage: run.currentStage, attempt: task.attempt, retryable };
    if (!(error instanceof AppError)) logger.error('task failed by a bug', { error });
    if (retryable && task.retryCount < task.maxRetryCount) {
      logger.warn('task will be retried', { error });
      return this.retryLater(run, failure);
    }
    if (error instanceof AppError) logger.warn('task failed', { error });
    return this.giveUp(run, failure);
  }

  private retryLater(run: TaskRun, failure: TaskFailure): Promise<void> {
    return run.write(async (tx) => {
      const { nextRetryAt } = await this.release(tx, run, {
        status: TaskStatus.Retrying,
        error: failure,
        countsAsRetry: true,
        retryInMs: retryDelay(this.parts.policy, run.task.retryCount, this.parts.random),
      });
      await run.log(tx, TaskEvent.RetryScheduled, { ...failure, nextRetryAt });
    });
  }

  private giveUp(run: TaskRun, failure: TaskFailure): Promise<void> {
    return run.write(
      async (tx) => {
        run.markFailed();
        await this.release(tx, run, { status: TaskStatus.Failed, error: failure, countsAsRetry: false });
        await run.log(tx, TaskEvent.Failed, { ...failure });
        await this.failDocument(tx, run, failure);
      },
      { lockDocument: true },
    );
  }

  private async failDocument(tx: TransactionContext, run: TaskRun, { code, message }: TaskFailure): Promise<void> {
    const { taskType, documentId, planId } = run.task;
    if (taskType === TaskType.ParseDocument) await this.parts.documents.failParsing(tx, documentId, { code, message });
    if (taskType === TaskType.BuildIndex || taskType === TaskType.RebuildIndex) {
      await this.parts.versions.failBuild(tx, documentId, planId, { code, message });
    }
  }

  private giveBack(run: TaskRun): Promise<void> {
    const { task } = run;
    const failure: TaskFailure = {
      code: 'WORKER_LOST',
      message: 'The worker was stopped.',
      stage: run.currentStage,
      attempt: task.attempt,
      retryable: true,
    };
    return run.writeAfterAbort(async (tx) => {
      const { nextRetryAt } = await this.release(tx, run, {
        status: TaskStatus.Retrying,
        error: failure,
        countsAsRetry: false,
      });
      await run.log(tx, TaskEvent.RetryScheduled, { ...failure, nextRetryAt });
    });
  }

  private release(
    tx: TransactionContext,
    run: TaskRun,
    ending: Omit<TaskEnding, 'stages'>,
  ): Promise<{ nextRetryAt: Date | null }> {
    return this.parts.leases.release(tx, run.task.id, { ...ending, stages: run.stages });
  }
}
