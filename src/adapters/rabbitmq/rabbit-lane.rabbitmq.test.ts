import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '../../logging/logger.js';
import type { Deliver } from '../../messaging/broker/laned-consumer.js';
import { Topic } from '../../messaging/topic.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';
import { RabbitLane } from './rabbit-lane.js';
import type { RabbitRecord } from './rabbit-message.js';
import { defaultTimings, type ConsumerTimings } from './rabbit-options.js';
import { queuesOf } from './rabbit-queues.js';

jest.setTimeout(60_000);

describe('RabbitLane', () => {
  let broker: RabbitTestBroker;
  let lanes: RabbitLane[];

  beforeEach(async () => {
    broker = await RabbitTestBroker.open();
    lanes = [];
  });

  afterEach(async () => {
    await Promise.all(lanes.map((lane) => lane.stop()));
    await broker.close();
  });

  /** No queue is its share, so that it steps back wherever it is told to let others pass. */
  const open = (deliver: Deliver<RabbitRecord>, change: Partial<ConsumerTimings> = {}): RabbitLane => {
    const { options } = broker;
    const terms = { options, timings: { ...defaultTimings, ...change }, name: 'lane' };
    const shares = { owns: () => false, linedUp: () => undefined };
    const queues = queuesOf(options, Topic.BuildIndex);
    const lane = new RabbitLane({ ...terms, queues }, shares, deliver, silentLogger);
    lanes.push(lane);
    lane.start();
    return lane;
  };

  const send = async (...documents: string[]): Promise<string[]> => {
    const messages = documents.map((document) => buildMessage(document));
    await broker.publisher.publish(messages, { deadlineMs: 3_000 });
    return messages.map(({ value }) => value.taskId);
  };

  const taskOf = ({ message }: RabbitRecord): string => String(message.properties.headers?.['x-task-id']);

  it('takes a new session in place of one whose channel the broker closed, and goes on', async () => {
    const [first, second] = await send('1', '1');
    const seen: string[] = [];
    open(async (record, _, commit) => {
      seen.push(taskOf(record));
      await commit();
      // Acknowledged twice: an unknown delivery tag ends the channel.
      if (seen.length === 1) await commit();
      return 'settled';
    });
    while (!seen.includes(second ?? '')) await pause(20);
    expect(seen[0]).toBe(first);
    while (!lanes[0]?.health().up) await pause(20);
  });

  it('gives up after its channels were closed again and again, and says so', async () => {
    const lane = open(async (_, __, commit) => {
      await commit();
      await commit();
      return 'settled';
    });
    while (!lane.health().gaveUp) {
      await send('1');
      await pause(50);
    }
    expect(lane.health()).toMatchObject({
      up: false,
      gaveUp: true,
      detail: expect.stringContaining('PRECONDITION_FAILED'),
    });
  });

  it('lets another go on, in order, when it steps back with a message that waits', async () => {
    const tasks = await send('1', '1', '1');
    const waiting: string[] = [];
    const first = open(async (record, gone) => {
      waiting.push(taskOf(record));
      await new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }));
      return 'left';
    });
    while (waiting.length === 0) await pause(20);
    const seen: string[] = [];
    const second = open(async (record, _, commit) => {
      seen.push(taskOf(record));
      await commit();
      return 'settled';
    });
    while (!second.health().up) await pause(20);
    first.letPass();
    while (seen.length < tasks.length) await pause(20);
    expect(waiting).toEqual(tasks.slice(0, 1));
    expect(seen).toEqual(tasks);
  });

  it('finishes what is being handled before it steps back', async () => {
    const tasks = await send('1', '1');
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const handled = new Promise<void>((resolve) => (finish = resolve));
    const first = open(async (record, _, commit) => {
      seen.push(`first ${taskOf(record)}`);
      await handled;
      await commit();
      return 'settled';
    });
    while (seen.length === 0) await pause(20);
    const second = open(async (record, _, commit) => {
      seen.push(`second ${taskOf(record)}`);
      await commit();
      return 'settled';
    });
    while (!second.health().up) await pause(20);
    first.letPass();
    await pause(100);
    expect(seen).toHaveLength(1);
    finish();
    while (seen.length < 2) await pause(20);
    expect(seen).toEqual([`first ${tasks[0]}`, `second ${tasks[1]}`]);
  });

  it('gives a message back that it held too long, and gets it again', async () => {
    const [task] = await send('1');
    let deliveries = 0;
    const lane = open(
      async (_, gone, commit) => {
        deliveries += 1;
        if (deliveries > 2) {
          await commit();
          return 'settled';
        }
        await new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }));
        return 'left';
      },
      { holdMs: 200 },
    );
    while (deliveries < 3) await pause(20);
    expect(task).toBeDefined();
    expect(lane.health().up).toBe(true);
  });
});
