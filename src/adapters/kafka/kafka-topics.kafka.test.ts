import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { StartRefusal } from '../../domain/start-refusal.js';
import { silentLogger } from '../../logging/logger.js';
import { brokerUnavailable } from '../../messaging/deadline.js';
import { MessageRefused } from '../../messaging/message-publisher.js';
import { ConsumerGroup, Topic, brokerName, DeadLetters } from '../../messaging/topic.js';
import { Inbox } from '../../testing/contract/inbox.js';
import { KafkaTestBroker, testBrokers } from '../../testing/contract/kafka-broker.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { KafkaSender } from './kafka-sender.js';
import { createTopics, topicNames } from './kafka-topics.js';

jest.setTimeout(60_000);

const layout = { partitions: 2, replication: 1 };
const nobody = '127.0.0.1:9';

describe('kafka and its topics', () => {
  let broker: KafkaTestBroker;
  const admin = new Kafka({ brokers: testBrokers(), logLevel: logLevel.NOTHING }).admin();

  beforeEach(async () => {
    broker = await KafkaTestBroker.open();
    await admin.connect();
  });

  afterEach(async () => {
    await admin.disconnect();
    await broker.close();
  });

  it('gets the topics that are missing, and keeps those that are there', async () => {
    const gone = await broker.deleteTopic(Topic.ParseDocument);
    const reports = await createTopics(broker.options, layout, silentLogger);
    expect(reports.map(({ topic }) => topic)).toEqual(topicNames(broker.options.prefix));
    expect(reports.filter(({ created }) => created)).toEqual([{ topic: gone, created: true, partitions: 2 }]);
    expect(new Set(reports.filter(({ created }) => !created).map(({ partitions }) => partitions))).toEqual(
      new Set([3]),
    );
  });

  it('names the topics that are missing when publisher and consumer start', async () => {
    // As after an upgrade from a version that knew one place for all dead letters, and no bulk topic but that of builds.
    const gone = [];
    for (const each of [Topic.RebuildIndex, DeadLetters.Index]) gone.push(await broker.deleteTopic(each));
    const publisher = new KafkaPublisher(broker.options, silentLogger);
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    const refusal = new StartRefusal(
      `Kafka has no topic ${gone.join(', ')}. Create what is missing with \`npm run topics\`.`,
    );
    await expect(publisher.start()).rejects.toEqual(refusal);
    await expect(consumer.start(() => Promise.resolve({ type: 'done' }))).rejects.toEqual(refusal);
    await consumer.stop();
  });

  it('says where it looked in vain for a broker to create topics on', async () => {
    await expect(createTopics({ ...broker.options, brokers: [nobody] }, layout, silentLogger)).rejects.toMatchObject({
      code: 'BROKER_UNAVAILABLE',
      message: expect.stringContaining(nobody),
    });
  });

  it('lets a send to a missing topic fail before its deadline', async () => {
    const sender = new KafkaSender(broker.options, silentLogger);
    const startedAt = performance.now();
    const sending = sender.sendBatches([{ topic: 'no-such-topic', messages: [{ value: 'x' }] }], 3_000);
    await expect(sending).rejects.toEqual(
      brokerUnavailable('A topic is missing on the broker; create the topics with `npm run topics`.'),
    );
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await sender.stop();
  });

  it('refuses a message that is too large, and takes the next', async () => {
    const sender = new KafkaSender(broker.options, silentLogger);
    const topic = brokerName(broker.options.prefix, Topic.BuildIndex);
    const tooLarge = Buffer.alloc(1_100_000, 'x');
    await expect(sender.sendBatches([{ topic, messages: [{ value: tooLarge }] }], 3_000)).rejects.toThrow(
      MessageRefused,
    );
    await sender.sendBatches([{ topic, messages: [{ value: 'x' }] }], 3_000);
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
    await sender.stop();
  });

  it.each([
    ['value', { value: Buffer.alloc(200_000, 'x') }, { 'x-dead-bytes': '200000' }, 65_536],
    ['headers', { headers: { 'x-long': 'y'.repeat(200_000), 'x-from': 'z' } }, { 'x-dead-headers': '2' }, 1],
    ['key', { key: 'k'.repeat(101_000) }, { 'x-dead-headers': '0' }, 1],
  ])('keeps what fits of a dead letter that it refuses for its %s', async (_, change, told, valueBytes) => {
    const deadLetters = brokerName(broker.options.prefix, DeadLetters.Index);
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: 2, name: deadLetters, configEntries: [{ name: 'max.message.bytes', value: '100000' }] }],
    });
    const ours = buildMessage('1');
    const foreign = { key: '1', value: Buffer.from('?'), headers: {}, ...change };
    await broker.sendForeign(Topic.BuildIndex, foreign);
    await broker.publisher.publish([ours], { deadlineMs: 3_000 });
    const inbox = new Inbox(({ headers }) =>
      headers['x-task-id'] ? { type: 'done' } : { type: 'dead', reason: 'too long' },
    );
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    await consumer.stop();
    const [letter] = await broker.deadLetters();
    expect(letter?.headers).toMatchObject({ 'x-dead-reason': 'too long', ...told });
    expect(letter?.value).toEqual(foreign.value.subarray(0, valueBytes));
  });

  it.each([
    ['there', testBrokers()[0] ?? ''],
    ['away', nobody],
  ])('lets a process end by itself once all has stopped, while the broker is %s', async (_, address) => {
    const program = fileURLToPath(new URL('../../testing/processes/start-and-stop-kafka.ts', import.meta.url));
    const loader = new URL('../../../ts-loader.mjs', import.meta.url).href;
    const child = fork(program, [address, broker.options.prefix], { execArgv: ['--no-warnings', '--import', loader] });
    const exited = once(child, 'exit');
    await once(child, 'message');
    const stoppedAt = performance.now();
    expect(await exited).toEqual([0, null]);
    expect(performance.now() - stoppedAt).toBeLessThan(2_000);
  });
});
