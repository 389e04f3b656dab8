import type { Database, TransactionContext } from '../database/database.js';
import type { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import type { ClaimedTask, TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import type { Clock } from '../domain/clock.js';
import type { ErrorCode } from '../domain/errors.js';
import { ExecuteStatus } from '../domain/plan/step-status.js';
import type { StageProgress } from '../domain/task/progress.js';
import type { Stage } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { TaskLost } from './work-result.js';

export interface TaskRunParts {
  readonly database: Database;
  readonly leases: TaskLeaseRepository;
  readonly logs: TaskLogRepository;
  /** For the times that a task shows. */
  readonly clock: Clock;
}

export interface WriteOptions {
  /** Lock the document before the task, in the order that acceptance takes them. For writes that touch its row. */
  readonly lockDocument?: boolean;
}

/**
 * One attempt at one task, as its stages see it. Every write goes through `write`, which proves in the same transaction
 * that the attempt is still the one that holds the task.
 */
export class TaskRun {
  private stageList: StageProgress[];
  private current: Stage;

  constructor(
    readonly task: ClaimedTask,
    /** Aborts when the task is lost, cancelled or given back; its reason says which. */
    readonly signal: AbortSignal,
    private readonly parts: TaskRunParts,
  ) {
    this.stageList = [...task.stages];
    this.current = task.currentStage;
  }

  get stages(): readonly StageProgress[] {
    return this.stageList;
  }

  get currentStage(): Stage {
    return this.current;
  }

  /** @throws TaskLost when another attempt holds the task or it is over; nothing was written then. */
  async write<T>(work: (transaction: TransactionContext) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    this.signal.throwIfAborted();
    return this.writeAfterAbort(work, options);
  }

  /** The same for whoever ends the attempt: its work has stopped, its task may still be its own. */
  async writeAfterAbort<T>(
    work: (transaction: TransactionContext) => Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.parts.database.transaction(async (transaction) => {
      if (options.lockDocument) {
        await transaction.query('select 1 from document where id = $1 for no key update', [this.task.documentId]);
      }
      if (!(await this.parts.leases.fence(transaction, this.task))) throw new TaskLost();
      transaction.taskChanged({ tenantId: this.task.tenantId, taskId: this.task.id });
      return work(transaction);
    });
  }

  /**
   * Marks a stage as running and writes its line. Done counts of an earlier attempt stand until they are set anew.
   *
   * @param limitMs after which the stage is over its limit; upkeep then ends the attempt if its worker does not.
   */
  async beginStage(stage: Stage, limitMs: number): Promise<void> {
    this.current = stage;
    this.change(stage, (progress) => ({
      ...progress,
      status: ExecuteStatus.Running,
      startedAt: progress.startedAt ?? this.now(),
      finishedAt: null,
    }));
    await this.write(async (transaction) => {
      await this.record(transaction, limitMs);
      await this.log(transaction, TaskEvent.StageStarted);
    });
  }

  /** Stores how far the current stage is, as part of the write that got it there. */
  async advance(transaction: TransactionContext, done: number, total: number): Promise<void> {
    this.change(this.current, (progress) => ({ ...progress, done, total }));
    await this.record(transaction);
  }

  /** Marks the current stage as done, as part of its last write. */
  async completeStage(transaction: TransactionContext, total: number): Promise<void> {
    this.markSucceeded(this.current, total);
    await this.record(transaction);
  }

  /** The same without a write, for the reporter, which writes the stages itself. */
  markSucceeded(stage: Stage, total: number): void {
    this.change(stage, (progress) => ({
      ...progress,
      status: ExecuteStatus.Success,
      done: total,
      total,
      finishedAt: this.now(),
    }));
  }

  markFailed(): void {
    this.change(this.current, (progress) => ({ ...progress, status: ExecuteStatus.Failed, finishedAt: this.now() }));
  }

  /** How many attempts before this one ended with an error of this code. */
  earlierFailures(code: ErrorCode): Promise<number> {
    return this.task.attempt === 1 ? Promise.resolve(0) : this.parts.logs.countFailures(this.task.id, code);
  }

  async log(
    transaction: TransactionContext,
    event: TaskEvent,
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const { id: taskId, tenantId } = this.task;
    await this.parts.logs.append(transaction, { tenantId, taskId, stage: this.current, event, metadata });
  }

  private record(transaction: TransactionContext, limitMs?: number): Promise<void> {
    return this.parts.leases.recordProgress(transaction, this.task.id, {
      currentStage: this.current,
      stages: this.stageList,
      ...(limitMs === undefined ? {} : { limitMs }),
    });
  }

  private change(stage: Stage, apply: (progress: StageProgress) => StageProgress): void {
    this.stageList = this.stageList.map((progress) => (progress.stage === stage ? apply(progress) : progress));
  }

  private now(): string {
    return new Date(this.parts.clock.now()).toISOString();
  }
}
