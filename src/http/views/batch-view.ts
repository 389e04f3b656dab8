import type { AcceptedRebuild } from '../../builds/accept-rebuild.js';
import type {
  BatchItemView as ItemFacts,
  BatchView as BatchFacts,
} from '../../database/repositories/batch-read-repository.js';
import { itemStates, skipReasons } from '../../domain/batch/batch-item.js';
import { BatchState, batchStates } from '../../domain/batch/batch-state.js';
import { describe, type Language } from '../../domain/coded-value.js';
import { nextStepOf } from '../../domain/errors.js';
import { Actor, actorTable } from '../../domain/task/task-type.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { CodedField, ObjectField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { timeText, type TimeText } from './time.js';

/** When a look at a running batch is worth it, in ms. */
const pollMs = 1_000;

/** A rebuild that was taken on. */
export class AcceptedRebuildView {
  @IdTextField({ description: 'The batch; poll it.', example: '241865211904000004' })
  batchId!: string;

  @IntegerField({ description: 'Documents in it, buildable or not.', example: 120, min: 0 })
  total!: number;

  @IntegerField({ description: 'When to look at the batch, in ms.', example: 1_000, min: 1 })
  nextPollMs!: number;
}

/** Items of a batch by state; they add up to its total. */
export class BatchCountsView {
  @IntegerField({ description: 'For their task, a worker or the next attempt.', example: 80, min: 0 })
  waiting!: number;

  @IntegerField({ description: 'In the hands of a worker.', example: 2, min: 0 })
  running!: number;

  @IntegerField({ description: 'Built.', example: 30, min: 0 })
  succeeded!: number;

  @IntegerField({ description: 'Failed or timed out.', example: 1, min: 0 })
  failed!: number;

  @IntegerField({ description: 'Stopped on request.', example: 0, min: 0 })
  cancelled!: number;

  @IntegerField({ description: 'Could not be built; each item says why.', example: 7, min: 0 })
  skipped!: number;
}

/** A batch as the API answers it. */
export class BatchView {
  @IdTextField({ description: 'Id of the batch.', example: '241865211904000004' })
  batchId!: string;

  @ChoiceField({ description: 'How it stands.', example: 'RUNNING', options: batchStates })
  state!: string;

  @IdTextField({
    description: 'The base it rebuilds; null for a list of documents.',
    example: '241865211904000000',
    nullable: true,
  })
  knowledgeBaseId!: string | null;

  @FlagField({ description: 'It leaves out documents that are up to date.', example: false })
  onlyStale!: boolean;

  @TextField({ description: 'Why it was asked for.', example: 'New embedding model', nullable: true })
  reason!: string | null;

  @CodedField({ description: 'Who set it off.', table: actorTable, example: Actor.System })
  triggerSource!: CodedView;

  @IdTextField({ description: 'The person who asked for it.', example: '4711', nullable: true })
  operatorId!: string | null;

  @IntegerField({ description: 'Documents in it.', example: 120, min: 0 })
  total!: number;

  @ObjectField({ description: 'Its items by state.' }, () => BatchCountsView)
  counts!: BatchCountsView;

  @TimeField({ description: 'When it was accepted.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @TimeField({ description: 'When its last item was over.', example: '2026-03-01T08:10:00.000Z', nullable: true })
  finishedAt!: TimeText | null;

  @IntegerField({ description: 'When to ask again, in ms; null at the end.', example: 1_000, min: 1, nullable: true })
  nextPollMs!: number | null;
}

/** Why an item failed. */
export class BatchItemErrorView {
  @TextField({ description: 'Stable code.', example: 'EMBEDDING_FAILED' })
  code!: string;

  @TextField({ description: 'What happened.', example: 'The embedding model did not answer.' })
  message!: string;

  @TextField({ description: 'What a person can do.', example: 'Check the embedding model, then retry.' })
  nextStep!: string;
}

/** One document of a batch as the API answers it. */
export class BatchItemView {
  @IdTextField({ description: 'The document.', example: '241865211904000002' })
  documentId!: string;

  @IdTextField({ description: 'Its task, once it has one.', example: '241865211904000001', optional: true })
  taskId?: string;

  @ChoiceField({ description: 'How it stands.', example: 'SKIPPED', options: itemStates })
  state!: string;

  @ChoiceField({ description: 'Why it is not built.', example: 'NOT_CONFIRMED', options: skipReasons, optional: true })
  skipReason?: string;

  @ObjectField({ description: 'Why it failed.', optional: true }, () => BatchItemErrorView)
  error?: BatchItemErrorView;
}

export function acceptedRebuildView(rebuild: AcceptedRebuild): AcceptedRebuildView {
  return { ...rebuild, nextPollMs: pollMs };
}

export function batchView(batch: BatchFacts, language: Language): BatchView {
  return {
    ...batch,
    triggerSource: describe(actorTable, batch.triggerSource, language),
    createdAt: timeText(batch.createdAt),
    finishedAt: timeText(batch.finishedAt),
    nextPollMs: batch.state === BatchState.Running ? pollMs : null,
  };
}

export function batchItemView(item: ItemFacts, language: Language): BatchItemView {
  const { documentId, taskId, state, skipReason, error } = item;
  return {
    documentId,
    ...(taskId === null ? {} : { taskId }),
    state,
    ...(skipReason === null ? {} : { skipReason }),
    ...(error === null
      ? {}
      : { error: { code: error.code, message: error.message, nextStep: nextStepOf(error.code)[language] } }),
  };
}
