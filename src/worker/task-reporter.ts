import { CommitOutcomeUnknown, type TransactionContext } from '../database/database.js';
import type { TaskFailureRepository } from '../database/repositories/task-failure-repository.js';
import type { TaskEnding, TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import { assertNever } from '../domain/assert-never.js';
import { AppError, failureOf } from '../domain/errors.js';
import type { TaskFailure } from '../domain/task/progress.js';
import { stagesOf } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { TaskStatus } from '../domain/task/task-status.js';
import type { Logger } from '../logging/logger.js';
import { traceFields } from '../tracing/trace-scope.js';
import { retryDelay, type RetryPolicy } from './retry-policy.js';
import type { TaskRun } from './task-run.js';
import { TaskLost, type Closing, type WorkResult } from './work-result.js';

export interface TaskReporterParts {
  readonly leases: TaskLeaseRepository;
  readonly failures: TaskFailureRepository;
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
    const { id: taskId, documentId, attempt } = task;
    const logger = this.parts.logger.child({ taskId, documentId, attempt, ...traceFields() });
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
      case 'overdue':
        logger.warn('task took too long', { error: result.error });
        return this.giveUp(result.run, taskFailure(result.run, result.error), TaskStatus.Timeout);
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
    const failure = taskFailure(run, error);
    if (!(error instanceof AppError)) logger.error('task failed by a bug', { error });
    if (failure.retryable && task.retryCount < task.maxRetryCount) {
      logger.warn('task will be retried', { error });
      return this.retryLater(run, failure);
    }
    if (error instanceof AppError) logger.warn('task failed', { error });
    return this.giveUp(run, failure, TaskStatus.Failed);
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

  /** Ends the task badly, also after its work was aborted for taking too long. */
  private giveUp(
    run: TaskRun,
    failure: TaskFailure,
    status: typeof TaskStatus.Failed | typeof TaskStatus.Timeout,
  ): Promise<void> {
    return run.writeAfterAbort(
      async (tx) => {
        run.markFailed();
        await this.release(tx, run, { status, error: failure, countsAsRetry: false });
        await run.log(tx, status === TaskStatus.Failed ? TaskEvent.Failed : TaskEvent.Timeout, { ...failure });
        await this.parts.failures.record(tx, run.task, failure);
      },
      { lockDocument: true },
    );
  }

  private giveBack(run: TaskRun): Promise<void> {
    const failure = taskFailure(run, new AppError('WORKER_LOST', 'The worker was stopped.'));
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

/** What the task's row keeps of the error that ended an attempt. */
function taskFailure(run: TaskRun, error: unknown): TaskFailure {
  const retryable = error instanceof AppError && error.retryable;
  return { ...failureOf(error), stage: run.currentStage, attempt: run.task.attempt, retryable };
}
