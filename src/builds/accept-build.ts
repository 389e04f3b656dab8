import { setTimeout as pause } from 'node:timers/promises';
import { CommitOutcomeUnknown, type Database, type TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import {
  isLiveIndexTaskConflict,
  type BuildAcceptanceRepository,
  type BuildFacts,
  type NewIndexTask,
} from '../database/repositories/build-acceptance-repository.js';
import type { TaskRepository } from '../database/repositories/task-repository.js';
import type { TaskEntity } from '../database/entities/task.entity.js';
import { IndexStatus } from '../domain/document/index-status.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { Stage } from '../domain/task/stage.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { TaskType, type Actor } from '../domain/task/task-type.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { taskMessage } from '../messaging/task-message.js';
import { presentTrace } from '../tracing/trace-scope.js';
import { buildInProgress, judgeBuild, type JudgePlan } from './build-checks.js';
import { indexTask, type FreezeSpec, type ReadyFacts } from './index-task.js';
import type { SendGate } from './send-gate.js';

/** How long a doubtful commit is looked after: a database that restarts is back by then, or the caller is told. */
const readBackTries = 10;
const readBackPauseMs = 300;

export interface BuildRequest {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly planId: Id;
  readonly operatorId?: Id;
}

/** A build that was taken on: its task is in the database and its message with the broker. */
export interface AcceptedBuild {
  readonly documentId: Id;
  readonly planId: Id;
  readonly taskId: Id;
  readonly taskType: TaskType;
  readonly taskStatus: TaskStatus;
  readonly indexStatus: IndexStatus;
  readonly currentStage: Stage;
  readonly strategySnapshot: string;
  readonly triggerSource: Actor;
}

export interface AcceptBuildParts {
  readonly database: Database;
  readonly acceptances: BuildAcceptanceRepository;
  readonly tasks: TaskRepository;
  readonly publisher: MessagePublisher;
  readonly gate: SendGate;
  readonly ids: { next(): Id };
  readonly judgePlan: JudgePlan;
  readonly freezeSpec: FreezeSpec;
}

export interface AcceptBuildLimits {
  readonly sendDeadlineMs: number;
  readonly maxRetryCount: number;
}

/**
 * Takes a build on in one transaction: four checks under the document's lock, the frozen task, BUILDING, the START
 * line, and the broker's acknowledgement. Either all of it holds afterwards or none of it.
 */
export class AcceptBuild {
  constructor(
    private readonly parts: AcceptBuildParts,
    private readonly limits: AcceptBuildLimits,
  ) {}

  /**
   * @param once has a repetition give the build that was accepted the first time.
   * @throws AppError DOCUMENT_NOT_FOUND, then the first refusal of the four checks (DOCUMENT_NOT_READY, PLAN_STALE,
   *   BUILD_IN_PROGRESS, PLAN_INVALID), BROKER_UNAVAILABLE, DATABASE_UNAVAILABLE.
   */
  async accept(request: BuildRequest, once?: Once): Promise<AcceptedBuild> {
    const taskId = this.parts.ids.next();
    // One deadline from here on: requests for one document take turns, and must not wait for the broker in turn.
    const giveUpAt = performance.now() + this.limits.sendDeadlineMs;
    try {
      return await this.parts.gate.run(() =>
        this.parts.database.transaction((tx) => this.acceptWithin(tx, request, taskId, giveUpAt), once),
      );
    } catch (error) {
      if (isLiveIndexTaskConflict(error)) throw await this.liveTaskRefusal(request);
      if (error instanceof CommitOutcomeUnknown) return this.readBack(request, taskId, error);
      throw error;
    }
  }

  private async acceptWithin(
    tx: TransactionContext,
    request: BuildRequest,
    taskId: Id,
    giveUpAt: number,
  ): Promise<AcceptedBuild> {
    const facts = await this.passChecks(tx, request);
    const task = indexTask(facts, {
      id: taskId,
      tenantId: request.tenantId,
      planId: request.planId,
      taskType: TaskType.BuildIndex,
      ...(request.operatorId ? { operatorId: request.operatorId } : {}),
      buildSpec: this.parts.freezeSpec(facts),
      maxRetryCount: this.limits.maxRetryCount,
      trace: presentTrace(),
    });
    await this.parts.acceptances.accept(tx, task, task.buildSpec);
    await this.send(tx, task, Math.round(giveUpAt - performance.now()));
    return accepted(task);
  }

  private async send(tx: TransactionContext, task: NewIndexTask, deadlineMs: number): Promise<void> {
    if (deadlineMs <= 0)
      throw new AppError('BROKER_UNAVAILABLE', 'The build could not be handed to the broker in time.');
    await this.parts.publisher.publish([taskMessage(task)], { transaction: tx, deadlineMs });
  }

  /** The facts of a document that passes all four checks, under its lock. */
  private async passChecks(tx: TransactionContext, request: BuildRequest): Promise<ReadyFacts> {
    const { acceptances, judgePlan } = this.parts;
    const { tenantId, documentId, planId } = request;
    let facts = await acceptances.lock(tx, tenantId, documentId, planId);
    if (facts && !isReady(facts, planId, judgePlan)) {
      // The lock is ours now, so this read is later than whatever had to be waited for.
      facts = await acceptances.read(tx, tenantId, documentId, planId);
    }
    if (!facts) throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
    for (const check of judgeBuild(facts, planId, judgePlan)) if (!check.passed) throw check.refusal;
    return facts as ReadyFacts;
  }

  private async liveTaskRefusal({ tenantId, documentId, planId }: BuildRequest): Promise<AppError> {
    const facts = await this.parts.acceptances.read(this.parts.database, tenantId, documentId, planId);
    return buildInProgress(facts?.liveTaskId ?? null).refusal;
  }

  /** The commit may or may not have happened: the row says which, once the database answers again. */
  private async readBack(request: BuildRequest, taskId: Id, cause: CommitOutcomeUnknown): Promise<AcceptedBuild> {
    const task = await this.findPatiently(request.tenantId, taskId);
    if (!task) throw cause;
    const { documentId, planId, strategySnapshot } = task;
    if (!documentId || !planId || !strategySnapshot)
      throw new Error(`build task ${taskId} was stored without its plan`);
    return accepted({ ...task, documentId, planId, strategySnapshot });
  }

  private async findPatiently(tenantId: TenantId, taskId: Id): Promise<TaskEntity | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.parts.tasks.find(tenantId, taskId);
      } catch (error) {
        if (!(error instanceof AppError) || tries === readBackTries) throw error;
        await pause(readBackPauseMs);
      }
    }
  }
}

function isReady(facts: BuildFacts, planId: Id, judgePlan: JudgePlan): boolean {
  return judgeBuild(facts, planId, judgePlan).every((check) => check.passed);
}

function accepted(
  task: Pick<
    AcceptedBuild,
    'documentId' | 'planId' | 'taskType' | 'currentStage' | 'strategySnapshot' | 'triggerSource'
  > & {
    readonly id: Id;
  },
): AcceptedBuild {
  return {
    documentId: task.documentId,
    planId: task.planId,
    taskId: task.id,
    taskType: task.taskType,
    taskStatus: TaskStatus.New,
    indexStatus: IndexStatus.Building,
    currentStage: Stage.ChunkExecute,
    strategySnapshot: task.strategySnapshot,
    triggerSource: task.triggerSource,
  };
}
