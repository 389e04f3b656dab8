import { TaskStatus } from '../../domain/task/task-status.js';
import type { TaskType } from '../../domain/task/task-type.js';
import type { Database } from '../database.js';
import { OutboxStatus } from './outbox-repository.js';

/** Live tasks of one type, by status. */
export interface QueueDepth {
  readonly taskType: TaskType;
  readonly waiting: number;
  readonly running: number;
  readonly retrying: number;
  /** Of the one that has waited longest for its first claim; null when none waits. */
  readonly oldestWaitingMs: number | null;
}

/** Messages that are stored and not sent. */
export interface OutboxDepth {
  readonly pending: number;
  readonly failed: number;
  readonly oldestPendingMs: number | null;
}

/** How much is waiting, and for how long, by the database's time. */
export class QueueRepository {
  constructor(private readonly database: Database) {}

  /** Types without live tasks are not there. */
  depths(): Promise<QueueDepth[]> {
    const of = (status: TaskStatus): string => `filter (where task_status = ${status})`;
    return this.database.query(
      `select task_type as "taskType", count(*) ${of(TaskStatus.New)}::int as waiting,
              count(*) ${of(TaskStatus.Running)}::int as running, count(*) ${of(TaskStatus.Retrying)}::int as retrying,
              (extract(epoch from clock_timestamp() - min(created_at) ${of(TaskStatus.New)}) * 1000)::float8 as "oldestWaitingMs"
         from task where task_status in (${TaskStatus.New}, ${TaskStatus.Running}, ${TaskStatus.Retrying}) group by task_type`,
    );
  }

  async outbox(): Promise<OutboxDepth> {
    const [row] = await this.database.query<OutboxDepth>(
      `select count(*)::int as pending,
              (select count(*)::int from outbox where status = ${OutboxStatus.Failed}) as failed,
              (extract(epoch from clock_timestamp() - min(created_at)) * 1000)::float8 as "oldestPendingMs"
         from outbox where status = ${OutboxStatus.Pending}`,
    );
    if (!row) throw new Error('an aggregate gave no row');
    return row;
  }
}
