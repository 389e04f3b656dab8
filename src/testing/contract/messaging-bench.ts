import { afterEach, beforeEach } from '@jest/globals';
import { priorityByType, type TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { MessageConsumer, MessageHandler } from '../../messaging/message-consumer.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { taskMessage } from '../../messaging/task-message.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import type { MessagingBroker } from './messaging-broker.js';

export interface MessagingContract {
  /** Opens an environment in which nothing was ever sent. */
  open(): Promise<MessagingBroker>;
  /** False where the broker serves a single process. */
  readonly servesProcesses: boolean;
  /** How many messages are sent to see that none is lost; 10,000 unless the broker is slow. */
  readonly flood?: number;
  /** True where the broker does not tell of a message that somebody has in hand. */
  readonly hidesInHand?: true;
  /** Longest way from an acknowledged send to an idle consumer, in ms. */
  readonly pickupMs: number;
}

export const deadlineMs = 3_000;

/** Apart from the small numbers of documents. */
let lastTaskId = 1_000;

/** A build message of a document; task ids rise from call to call. */
export function buildMessage(
  documentId: string,
  taskType: TaskType = TaskType.BuildIndex,
  priority: TaskPriority = priorityByType(taskType),
): OutgoingMessage {
  lastTaskId += 1;
  return taskMessage({
    id: String(lastTaskId),
    tenantId: '0',
    documentId,
    planId: '7',
    taskType,
    priority,
    trace: null,
  });
}

/** A fresh broker for each test of a suite, and the consumers opened on it, stopped at the end. */
export class MessagingBench {
  private open: MessagingBroker | undefined;
  private consumers: MessageConsumer[] = [];

  constructor(readonly contract: MessagingContract) {
    beforeEach(async () => {
      this.consumers = [];
      this.open = await contract.open();
    });
    afterEach(async () => {
      await Promise.all(this.consumers.map((consumer) => consumer.stop()));
      await this.open?.close();
    });
  }

  get broker(): MessagingBroker {
    if (!this.open) throw new Error('no test is running');
    return this.open;
  }

  async consume(handler: MessageHandler, group: ConsumerGroup = ConsumerGroup.Index): Promise<MessageConsumer> {
    const consumer = this.broker.consumers.create(group);
    this.consumers.push(consumer);
    await consumer.start(handler);
    return consumer;
  }

  /** One by one, as callers do that wait for the acknowledgement. */
  async publish(...messages: OutgoingMessage[]): Promise<void> {
    for (const message of messages) await this.broker.publisher.publish([message], { deadlineMs });
  }

  publishText(key: string, text: string): Promise<void> {
    return this.broker.sendForeign(Topic.BuildIndex, { key, value: Buffer.from(text), headers: {} });
  }
}
