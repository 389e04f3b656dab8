import type { OutboxDepth } from '../../database/repositories/queue-repository.js';
import { describe, type Language } from '../../domain/coded-value.js';
import { TaskType, taskTypeTable } from '../../domain/task/task-type.js';
import type { BrokerLags, QueuePage, QueueState } from '../../progress/read-workload.js';
import { IntegerField } from '../fields/number-fields.js';
import { CodedField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';

/** The live tasks of one type. */
export class QueueView {
  @CodedField({ description: 'Which tasks.', table: taskTypeTable, example: TaskType.BuildIndex })
  taskType!: CodedView;

  @IntegerField({ description: 'NEW: wait for a worker.', example: 3, min: 0 })
  waiting!: number;

  @IntegerField({ description: 'RUNNING: in the hands of a worker.', example: 2, min: 0 })
  running!: number;

  @IntegerField({ description: 'RETRYING: wait for their next attempt.', example: 0, min: 0 })
  retrying!: number;

  @IntegerField({
    description: 'How long the oldest has waited for its first claim; null when none waits.',
    example: 1_200,
    min: 0,
    nullable: true,
  })
  oldestWaitingMs!: number | null;

  @IntegerField({ description: 'Workers alive that take such tasks.', example: 1, min: 0 })
  workers!: number;

  @IntegerField({
    description:
      'Messages of the topic that no worker has acknowledged; null when the broker does not answer within a second.',
    example: 3,
    min: 0,
    nullable: true,
  })
  lag!: number | null;

  @TextField({
    description: 'Why lag is null; else null.',
    example: 'The message broker did not answer in time.',
    nullable: true,
  })
  lagReason!: string | null;
}

/** Messages that are stored and not sent. */
export class OutboxView {
  @IntegerField({ description: 'Wait for the relay.', example: 0, min: 0 })
  pending!: number;

  @IntegerField({ description: 'Set aside after too many tries.', example: 0, min: 0 })
  failed!: number;

  @IntegerField({
    description: 'Age of the oldest that waits; null when none does.',
    example: 40,
    min: 0,
    nullable: true,
  })
  oldestPendingMs!: number | null;
}

/** What is left in a broker that is drained. */
export class DrainedBrokerView {
  @TextField({ description: 'As in DRAIN_BROKERS.', example: 'redis' })
  broker!: string;

  @IntegerField({
    description:
      'Messages of all topics that no worker has acknowledged; null when the broker does not answer within a second.',
    example: 0,
    min: 0,
    nullable: true,
  })
  lag!: number | null;

  @TextField({ description: 'Why lag is null; else null.', example: 'connection refused', nullable: true })
  lagReason!: string | null;
}

/** What stands beside the queues. */
export class QueueListHead {
  @TextField({ description: 'The broker that messages are sent to; lag is of it.', example: 'kafka' })
  broker!: string;

  @ObjectListField({ description: 'Brokers that are left, and read until they are empty.' }, () => DrainedBrokerView)
  drained!: DrainedBrokerView[];

  @ObjectField({ description: 'Messages on their way to the broker.' }, () => OutboxView)
  outbox!: OutboxView;
}

export function queueView({ taskType, oldestWaitingMs, ...counts }: QueueState, language: Language): QueueView {
  return { taskType: describe(taskTypeTable, taskType, language), ...counts, oldestWaitingMs: whole(oldestWaitingMs) };
}

export function queueListHead({ broker, outbox, drained }: Omit<QueuePage, 'items' | 'next'>): QueueListHead {
  return { broker, outbox: outboxView(outbox), drained: drained.map(drainedBrokerView) };
}

function drainedBrokerView({ broker, lags, lagReason }: BrokerLags): DrainedBrokerView {
  return { broker, lag: lags && [...lags.values()].reduce((sum, lag) => sum + lag, 0), lagReason };
}

function outboxView({ oldestPendingMs, ...counts }: OutboxDepth): OutboxView {
  return { ...counts, oldestPendingMs: whole(oldestPendingMs) };
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.max(0, Math.round(ms));
}
