import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeadLetterRepository } from '../../database/repositories/dead-letter-repository.js';
import { TaskLeaseRepository } from '../../database/repositories/task-lease-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { silentLogger } from '../../logging/logger.js';
import { DrainedBroker } from '../../messaging/draining/drained-broker.js';
import { JoinedConsumer } from '../../messaging/draining/joined-consumer.js';
import type { Survey } from '../../messaging/draining/remainder.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { taskMessage } from '../../messaging/task-message.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { ClaimTask } from '../../worker/claim-task.js';
import { TaskIntake } from '../../worker/task-intake.js';
import { plantDocuments, plantTask, testIds } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import type { MessagingBroker } from './messaging-broker.js';

/** A broker, and how it is looked at when it is left. */
export interface MovedBroker {
  readonly broker: MessagingBroker;
  readonly survey: Survey;
}

/** Opens a broker of its own, in the database if it lies there. */
export type OpenMoved = (test: TestDatabase) => Promise<MovedBroker>;

const deadlineMs = 5_000;
const tasks = 42;
const slots = 3;
const build = { taskType: TaskType.BuildIndex, priority: TaskPriority.Interactive, tenantId: '0' } as const;

/** Builds whose messages lie in the broker that is left, in the one that is new, or in both. */
export function describeMove(name: string, openFrom: OpenMoved, openTo: OpenMoved): void {
  describe(`an intake that moves from ${name}`, () => {
    let test: TestDatabase;
    let from: MovedBroker;
    let to: MovedBroker;

    beforeAll(async () => {
      test = await openTestDatabase({ on: 'postgres' });
      [from, to] = [await openFrom(test), await openTo(test)];
    });
    afterAll(async () => {
      await Promise.all([from.broker.close(), to.broker.close()]);
      await test.close();
    });

    it('works on every task once, wherever its messages lie, and never on more than it has slots for', async () => {
      const messages = await plantedMessages(test);
      const third = tasks / 3;
      await from.broker.publisher.publish(messages.slice(0, third * 2), { deadlineMs });
      await to.broker.publisher.publish(messages.slice(third), { deadlineMs });
      const drained = new DrainedBroker(name, from.survey, deadlineMs, silentLogger);
      const work = new Work(tasks);
      const intake = intakeOf(test, drained, to.broker, work);
      await intake.start();
      await work.all;
      for (const each of [drained, to.broker.consumers]) while (sumOf(await each.lag(deadlineMs)) > 0);
      await intake.stop();
      expect(work.done.sort()).toEqual(messages.map(({ value }) => value.taskId).sort());
      expect(work.mostAtOnce).toBeLessThanOrEqual(slots);
    });

    it('keeps the letter of a message that cannot be read, and the copy where the message was', async () => {
      await from.broker.sendForeign(Topic.BuildIndex, { key: '1', value: Buffer.from('build it'), headers: {} });
      const drained = new DrainedBroker(name, from.survey, deadlineMs, silentLogger);
      const intake = intakeOf(test, drained, to.broker, new Work(0));
      await intake.start();
      while ((await from.broker.deadLetters()).length === 0);
      await intake.stop();
      const letters = await test.database.query('select kind, topic, value from dead_letter');
      expect(letters).toEqual([{ kind: 'MESSAGE', topic: Topic.BuildIndex, value: 'build it' }]);
      expect(await to.broker.deadLetters()).toEqual([]);
    });
  });
}

async function plantedMessages({ database }: TestDatabase): Promise<OutgoingMessage[]> {
  const messages: OutgoingMessage[] = [];
  for (const planted of await plantDocuments(database, tasks)) {
    const id = await plantTask(database, planted);
    messages.push(taskMessage({ ...planted, id, ...build, trace: null }));
  }
  return messages;
}

/** What was worked on, each a little while. */
class Work {
  readonly done: Id[] = [];
  mostAtOnce = 0;
  readonly all: Promise<void>;
  private atOnce = 0;
  private finished: () => void = () => undefined;

  constructor(private readonly wanted: number) {
    this.all = new Promise((resolve) => (this.finished = resolve));
  }

  async on(taskId: Id): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    this.atOnce -= 1;
    if (this.done.push(taskId) === this.wanted) this.finished();
  }
}

function intakeOf({ database }: TestDatabase, left: DrainedBroker, to: MessagingBroker, work: Work): TaskIntake {
  const leases = new TaskLeaseRepository(database);
  const group = ConsumerGroup.Index;
  return new TaskIntake(
    {
      consumer: new JoinedConsumer(to.consumers.create(group), [left.create(group)]),
      claims: new ClaimTask(leases, { workerId: '1', leaseMs: 60_000 }),
      execute: ({ id }) => work.on(id),
      urgent: () => Promise.resolve([]),
      letters: new DeadLetterRepository(database, testIds),
      logger: silentLogger,
    },
    slots,
  );
}

function sumOf(lags: ReadonlyMap<unknown, number>): number {
  return [...lags.values()].reduce((sum, lag) => sum + lag, 0);
}
