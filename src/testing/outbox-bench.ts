import type { Database } from '../database/database.js';
import { OutboxRepository, type OutboxStatus } from '../database/repositories/outbox-repository.js';
import { SnowflakeIds } from '../domain/ids/snowflake.js';
import { priorityByType } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';
import { silentLogger } from '../logging/logger.js';
import type { MessagePublisher, OutgoingMessage, PartHealth, SendContext } from '../messaging/message-publisher.js';
import { OutboxRelay } from '../messaging/outbox-relay.js';
import { taskMessage } from '../messaging/task-message.js';

export interface OutboxRow {
  readonly key: string;
  readonly status: (typeof OutboxStatus)[keyof typeof OutboxStatus];
  readonly tries: number;
  readonly reason: string | null;
}

/** A broker that stores in memory, and fails as a test says. */
export class RecordingPublisher implements MessagePublisher {
  readonly sent: OutgoingMessage[] = [];
  readonly deadlines: number[] = [];
  /** Runs before anything is stored; what it throws is what the send rejects with. */
  onPublish: (messages: readonly OutgoingMessage[]) => void | Promise<void> = () => undefined;

  async publish(messages: readonly OutgoingMessage[], { deadlineMs }: SendContext): Promise<void> {
    this.deadlines.push(deadlineMs);
    await this.onPublish(messages);
    this.sent.push(...messages);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  health(): PartHealth {
    return { up: true };
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** An outbox to fill, look into, and hurry. */
export class OutboxBench {
  readonly outbox: OutboxRepository;
  private readonly ids = new SnowflakeIds(1, () => Date.now());

  constructor(private readonly database: Database) {
    this.outbox = new OutboxRepository(database, this.ids);
  }

  relay(publisher: MessagePublisher, intervalMs = 20): OutboxRelay {
    const options = { intervalMs, sendDeadlineMs: 1_000 };
    return new OutboxRelay(this.database, this.outbox, publisher, silentLogger, options, () => 0);
  }

  message(documentId: string, taskType: TaskType = TaskType.ParseDocument): OutgoingMessage {
    const priority = priorityByType(taskType);
    const task = { id: this.ids.next(), tenantId: '0', documentId, planId: '7', taskType, priority };
    return taskMessage({ ...task, trace: null });
  }

  async append(...messages: OutgoingMessage[]): Promise<void> {
    await this.database.transaction((tx) => this.outbox.append(tx, messages));
  }

  rows(): Promise<OutboxRow[]> {
    return this.database.query<OutboxRow>(
      'select aggregate_id as key, status, tries, last_error as reason from outbox order by id',
    );
  }

  /** As if the delays of all postponed rows were over. */
  async hurry(): Promise<void> {
    await this.database.query('update outbox set next_try_at = clock_timestamp() where status = 1');
  }

  async clear(): Promise<void> {
    await this.database.query('delete from outbox');
  }
}
