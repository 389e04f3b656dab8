import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { certificateIn, guest } from '../../testing/contract/kafka-guard.js';
import { acceptingInbox } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { OwnKafka } from '../../testing/contract/own-kafka.js';
import { KafkaConsumers } from './kafka-consumers.js';
import type { KafkaAccess, KafkaOptions } from './kafka-options.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { createTopics } from './kafka-topics.js';

let kafka: OwnKafka;
let ca: string;

beforeAll(async () => {
  kafka = await OwnKafka.create(true);
  await kafka.start();
  ca = readFileSync(certificateIn(kafka.folder), 'utf8');
}, 180_000);
afterAll(() => kafka.remove());

function optionsWith(access: Omit<KafkaAccess, 'brokers'>, prefix: string): KafkaOptions & { sessionMs: number } {
  return { brokers: [kafka.address], prefix, sendDeadlineMs: 5_000, sessionMs: 6_000, ...access };
}

describe('a broker that lets in only who is encrypted and names itself', () => {
  it.each(['plain', 'scram-sha-256'] as const)(
    'is sent to and read from by %s, compressed',
    async (mechanism) => {
      const options = { ...optionsWith({ tls: { ca }, sasl: { mechanism, ...guest } }, mechanism), compress: true };
      await createTopics(options, { partitions: 1, replication: 1 }, silentLogger);
      const publisher = new KafkaPublisher(options, silentLogger);
      await publisher.start();
      const consumer = new KafkaConsumers(options, silentLogger).create(ConsumerGroup.Index);
      const inbox = acceptingInbox();
      await consumer.start(inbox.handler);
      await publisher.publish([buildMessage('1')], { deadlineMs: 5_000 });
      await inbox.until(({ messages }) => messages.length === 1);
      expect(inbox.messages[0]?.topic).toBe(Topic.BuildIndex);
      await Promise.all([consumer.stop(), publisher.stop()]);
    },
    60_000,
  );

  it.each([
    ['a wrong password', () => ({ tls: { ca }, sasl: { mechanism: 'plain' as const, ...guest, password: 'wrong' } })],
    ['no name', () => ({ tls: { ca } })],
    ['a certificate that is not trusted', () => ({ tls: {}, sasl: { mechanism: 'plain' as const, ...guest } })],
    ['no encryption', () => ({ sasl: { mechanism: 'plain' as const, ...guest } })],
  ])(
    'refuses %s in time, and says so without the password',
    async (_, access) => {
      const publisher = new KafkaPublisher(optionsWith(access(), 'plain'), silentLogger);
      await publisher.start();
      const refused = publisher.publish([buildMessage('1')], { deadlineMs: 5_000 });
      await expect(refused).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      const { up, detail } = publisher.health();
      expect(up).toBe(false);
      expect(detail).toEqual(expect.not.stringContaining('wrong'));
      await publisher.stop();
    },
    30_000,
  );
});
