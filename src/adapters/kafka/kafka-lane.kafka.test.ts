import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '../../logging/logger.js';
import type { Deliver } from '../../messaging/broker/laned-consumer.js';
import { brokerName, Topic } from '../../messaging/topic.js';
import { KafkaTestBroker } from '../../testing/contract/kafka-broker.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { KafkaLane } from './kafka-lane.js';
import { consumerTimings, type ConsumerTimings } from './kafka-options.js';
import type { KafkaRecord } from './kafka-record.js';

jest.setTimeout(60_000);

const timings = consumerTimings(6_000);

describe('KafkaLane', () => {
  let broker: KafkaTestBroker;
  let lane: KafkaLane;

  beforeEach(async () => {
    broker = await KafkaTestBroker.open();
  });

  afterEach(async () => {
    await lane.stop();
    await broker.close();
  });

  const open = (
    deliver: Deliver<KafkaRecord>,
    change: Partial<ConsumerTimings> = {},
    brokers = broker.options.brokers,
  ): KafkaLane => {
    const { prefix } = broker.options;
    const session = { access: { brokers }, group: `${prefix}-lane`, topic: brokerName(prefix, Topic.BuildIndex) };
    lane = new KafkaLane({ ...session, timings: { ...timings, ...change } }, deliver, silentLogger);
    lane.start();
    return lane;
  };

  it('takes a new session in place of one that crashed, and goes on where it was', async () => {
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    let deliveries = 0;
    const settled = new Promise<void>((resolve) => {
      open(async (_, __, commit) => {
        deliveries += 1;
        // kafkajs ends a consumer for good on such an error.
        if (deliveries === 1) throw new TypeError('a bug');
        await commit();
        resolve();
        return 'settled';
      });
    });
    await settled;
    expect(deliveries).toBe(2);
    expect(lane.health().up).toBe(true);
  });

  it('gives up after crashing again and again, and says so', async () => {
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    let deliveries = 0;
    open(() => {
      deliveries += 1;
      return Promise.reject(new TypeError('a bug'));
    });
    while (!lane.health().gaveUp) await pause(50);
    expect(lane.health()).toMatchObject({ up: false, gaveUp: true, detail: 'a bug' });
    expect(deliveries).toBe(5);
  });

  it('is not up, and tries again, while the broker takes connections and says nothing', async () => {
    const mute = createServer();
    const connections = countConnections(mute);
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    const address = mute.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    open(() => Promise.resolve('settled'), { silenceMs: 300, stopMs: 200, requestMs: 60_000 }, [`127.0.0.1:${port}`]);
    while (connections.count < 3) await pause(50);
    expect(lane.health()).toMatchObject({ up: false });
    expect(lane.health().gaveUp).toBeUndefined();
    await lane.stop();
    mute.close();
  });
});

function countConnections(server: Server): { count: number } {
  const connections = { count: 0 };
  server.on('connection', (socket) => {
    connections.count += 1;
    socket.on('error', () => undefined);
  });
  return connections;
}
