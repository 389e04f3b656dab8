import type { Database, TransactionContext } from '../database/database.js';
import type { BuildAcceptanceRepository, RebuildFacts } from '../database/repositories/build-acceptance-repository.js';
import type { BatchRepository, HeldBatch, OpenItem, Settlement } from '../database/repositories/batch-repository.js';
import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import type { Id } from '../domain/ids/id.js';
import { TaskType } from '../domain/task/task-type.js';
import type { OutgoingMessage } from '../messaging/message-publisher.js';
import { taskMessage } from '../messaging/task-message.js';
import { hopOf } from '../tracing/trace-scope.js';
import type { JudgePlan } from './build-checks.js';
import { indexTask, type FreezeSpec, type ReadyFacts } from './index-task.js';
import { refusalOfRetry } from './retry-task.js';
import { skipReasonOf } from './skip-reason.js';

export interface FillBatchParts {
  readonly database: Database;
  readonly batches: BatchRepository;
  readonly acceptances: BuildAcceptanceRepository;
  readonly commands: TaskCommandRepository;
  readonly outbox: OutboxRepository;
  readonly ids: { next(): Id };
  readonly judgePlan: JudgePlan;
  readonly freezeSpec: FreezeSpec;
}

export interface FillBatchOptions {
  /** Live tasks of one batch at most. */
  readonly ahead: number;
  readonly maxRetryCount: number;
  readonly onOutbox: () => void;
}

/** What one portion came to. */
export interface Filling {
  /** Documents that got a task, or their failed one again. */
  readonly started: number;
  readonly skipped: number;
  /** The portion was as large as asked for: there may be more to do at once. */
  readonly full: boolean;
}

const nothing: Filling = { started: 0, skipped: 0, full: false };

/** One item's document and how the item ends, with the message that goes with it. */
interface Judged {
  readonly settlement: Settlement;
  readonly message?: OutgoingMessage;
}

/**
 * Gives the next open documents of a batch their tasks, in one transaction a portion: tasks, messages and what became of
 * each item are there together or not at all, so that whoever comes after a crash finds exactly what is missing.
 */
export class FillBatch {
  constructor(
    private readonly parts: FillBatchParts,
    private readonly options: FillBatchOptions,
  ) {}

  /** @param took is told the documents of the portion before anything is done to them. */
  fill(batchId: Id, portion: number, took: (documentIds: readonly Id[]) => void = () => undefined): Promise<Filling> {
    return this.parts.database.transaction(async (tx) => {
      const batch = await this.parts.batches.holdToFill(tx, batchId);
      if (!batch) return nothing;
      const items = await this.parts.batches.openItems(tx, batchId, portion, this.options.ahead);
      took(items.map(({ documentId }) => documentId));
      const judged = items.length > 0 ? await this.judgeAll(tx, batch, items) : [];
      await this.store(tx, batchId, judged);
      return {
        started: judged.filter(({ message }) => message).length,
        skipped: judged.filter(({ settlement }) => 'skipReason' in settlement).length,
        full: items.length === portion,
      };
    });
  }

  private async judgeAll(tx: TransactionContext, batch: HeldBatch, items: readonly OpenItem[]): Promise<Judged[]> {
    const ids = items.map(({ documentId }) => documentId);
    const facts = await this.parts.acceptances.lockAll(tx, batch.tenantId, ids);
    const byId = new Map(facts.map((each) => [each.documentId, each]));
    const judged: Judged[] = [];
    for (const item of items) judged.push(await this.judge(tx, batch, item, byId.get(item.documentId)));
    return judged;
  }

  private async judge(
    tx: TransactionContext,
    batch: HeldBatch,
    { documentId, taskId }: OpenItem,
    facts: RebuildFacts | undefined,
  ): Promise<Judged> {
    const again = taskId ? await this.retry(tx, batch, documentId, taskId) : undefined;
    if (again) return again;
    // A failed task that cannot go on gave way to something newer, which may have built the document already.
    const skipReason = skipReasonOf(facts, this.parts.judgePlan, batch.onlyStale || taskId !== null);
    if (skipReason !== null) return { settlement: { documentId, skipReason } };
    return this.start(tx, batch, facts as RebuildFacts & ReadyFacts);
  }

  private async start(tx: TransactionContext, batch: HeldBatch, facts: ReadyFacts & RebuildFacts): Promise<Judged> {
    const task = indexTask(facts, {
      id: this.parts.ids.next(),
      tenantId: batch.tenantId,
      // What passed the checks has a current plan.
      planId: facts.currentPlanId as Id,
      batchId: batch.id,
      taskType: TaskType.RebuildIndex,
      ...(batch.operatorId ? { operatorId: batch.operatorId } : {}),
      buildSpec: this.parts.freezeSpec(facts),
      maxRetryCount: this.options.maxRetryCount,
      trace: hopOf(batch.trace),
    });
    await this.parts.acceptances.accept(tx, task, task.buildSpec);
    return { settlement: { documentId: task.documentId, taskId: task.id }, message: taskMessage(task) };
  }

  /** Has the item's failed task go on, by the rules of any retry; undefined where it has to start anew. */
  private async retry(
    tx: TransactionContext,
    { tenantId, retriedBy, trace: ofBatch }: HeldBatch,
    documentId: Id,
    taskId: Id,
  ): Promise<Judged | undefined> {
    const { commands } = this.parts;
    const facts = await commands.retryFacts(tx, tenantId, taskId);
    const refusal = refusalOfRetry(facts);
    // Somebody was faster with this one.
    if (refusal?.code === 'TASK_NOT_RETRYABLE') return { settlement: { documentId, taskId } };
    if (refusal) return undefined;
    const trace = hopOf(ofBatch);
    await commands.retry(tx, tenantId, facts, trace, retriedBy ?? undefined);
    return {
      settlement: { documentId, taskId },
      message: taskMessage({ ...facts, id: taskId, tenantId, retryCount: 0, trace }),
    };
  }

  private async store(tx: TransactionContext, batchId: Id, judged: readonly Judged[]): Promise<void> {
    const { batches, outbox } = this.parts;
    const messages = judged.flatMap(({ message }) => message ?? []);
    if (messages.length > 0) {
      await outbox.append(tx, messages);
      tx.afterCommit(this.options.onOutbox);
    }
    if (judged.length > 0) {
      const settlements = judged.map(({ settlement }) => settlement);
      await batches.settle(tx, batchId, settlements);
    }
    await batches.markLookedAt(tx, batchId);
  }
}
