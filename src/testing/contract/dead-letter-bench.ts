import { expect } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import type { MessageConsumer } from '../../messaging/message-consumer.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { ClaimTask } from '../../worker/claim-task.js';
import { TaskIntake } from '../../worker/task-intake.js';
import { plantDocument, plantTask, testIds } from '../factories.js';
import { startHttpApi, type HttpApi } from '../http-api.js';
import type { TestDatabase } from '../test-database.js';
import { Inbox } from './inbox.js';
import { buildMessage, deadlineMs } from './messaging-bench.js';
import type { MessagingBroker, StoredMessage } from './messaging-broker.js';

/** A letter as the API tells it. */
export interface ToldLetter {
  readonly deadLetterId: Id;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly message?: {
    readonly key: string | null;
    readonly valueBase64: string | null;
    readonly valueBytes: number;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** The API and a worker's intake of builds on one database and one broker. */
export class DeadLetterBench {
  /** Every message that the intake was given, before its verdict. */
  readonly inbox: Inbox;
  /** Tasks that were claimed, in order. */
  readonly worked: Id[] = [];
  private readonly consumer: MessageConsumer;

  private constructor(
    readonly api: HttpApi,
    readonly broker: MessagingBroker,
  ) {
    const { leases, letters } = repositoriesOn(api.test.database, testIds);
    this.consumer = broker.consumers.create(ConsumerGroup.Index);
    const intake = new TaskIntake(
      {
        consumer: this.consumer,
        claims: new ClaimTask(leases, { workerId: 'w', leaseMs: 60_000 }),
        execute: (task) => Promise.resolve(void this.worked.push(task.id)),
        urgent: () => Promise.resolve([]),
        letters,
        logger: silentLogger,
      },
      8,
    );
    this.inbox = new Inbox((message) => intake.take(message));
  }

  static async open(openBroker: (test: TestDatabase) => Promise<MessagingBroker>): Promise<DeadLetterBench> {
    let broker: MessagingBroker | undefined;
    const openPublisher = async (test: TestDatabase) => (broker = await openBroker(test)).publisher;
    const api = await startHttpApi({ openPublisher });
    if (!broker) throw new Error('the API opened no publisher');
    const bench = new DeadLetterBench(api, broker);
    await bench.consumer.start(bench.inbox.handler);
    return bench;
  }

  /** Sends what a foreign program might, to the topic of builds. */
  sendForeign(message: Partial<StoredMessage>): Promise<void> {
    return this.broker.sendForeign(Topic.BuildIndex, { key: '1', value: Buffer.from('?'), headers: {}, ...message });
  }

  /** A task that nobody has taken, and its message behind whatever was sent under the same key. */
  async sendTask(key = '1'): Promise<Id> {
    const planted = await plantDocument(this.api.test.database);
    const taskId = await plantTask(this.api.test.database, planted);
    const value = { documentId: planted.documentId, planId: planted.planId, taskId };
    const message = buildMessage(key);
    const headers = { ...message.headers, 'x-task-id': taskId };
    await this.broker.publisher.publish([{ ...message, value, headers }], { deadlineMs });
    return taskId;
  }

  /** Resolves when everything that was sent under the key before has had its verdict, and what came next was taken. */
  async movedOn(key = '1'): Promise<void> {
    const taskId = await this.sendTask(key);
    await this.inbox.until((inbox) => inbox.tasksOf(key).includes(taskId));
    while (!this.worked.includes(taskId)) await new Promise((resolve) => setImmediate(resolve));
  }

  async letters(state?: string): Promise<ToldLetter[]> {
    const { status, body } = await this.api.server.get(`/admin/dead-letters${state ? `?state=${state}` : ''}`);
    expect(status).toBe(200);
    return body.items as ToldLetter[];
  }

  async onlyLetter(): Promise<ToldLetter> {
    const [letter, ...more] = await this.letters('OPEN');
    if (!letter || more.length > 0) throw new Error(`there are ${more.length + (letter ? 1 : 0)} open letters`);
    return letter;
  }

  settle({ deadLetterId }: ToldLetter, verb: 'replay' | 'discard') {
    return this.api.server.post(`/admin/dead-letters/${deadLetterId}/${verb}`, '{"operatorId":"7"}');
  }

  async close(): Promise<void> {
    await this.consumer.stop();
    await this.broker.close();
    await this.api.stop();
  }
}
