import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { Topic, topics as allTopics } from '../../messaging/topic.js';
import { describeDraining } from '../../testing/contract/describe-draining.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';
import { allQueues, queuesOf } from './rabbit-queues.js';
import { surveyRabbit } from './survey-rabbit.js';

jest.setTimeout(60_000);

describeDraining('rabbitmq', {
  open: () => RabbitTestBroker.open(),
  prefixOf: ({ options }) => options.prefix,
  surveyOf:
    ({ options }, prefix) =>
    (deadlineMs) =>
      surveyRabbit({ ...options, prefix, partitions: 1, declares: true }, deadlineMs, silentLogger),
});

describe('looking what RabbitMQ has', () => {
  let broker: RabbitTestBroker;

  beforeEach(async () => {
    broker = await RabbitTestBroker.open();
  });
  afterEach(() => broker.close());

  it('finds the topics that there are, and names the others', async () => {
    const gone = queuesOf(broker.options, Topic.RebuildIndex);
    await broker.deleteQueues(gone);
    const { topics, missing, consumers } = await surveyRabbit(broker.options, 5_000, silentLogger);
    expect(missing).toEqual(gone);
    expect(topics).toEqual(allTopics.filter((topic) => topic !== Topic.RebuildIndex));
    expect((await consumers.lag(5_000)).get(Topic.RebuildIndex)).toBe(0);
    await broker.createQueues();
  });

  it('finds nothing where everything was removed, and makes nothing', async () => {
    await broker.deleteQueues(allQueues(broker.options));
    const look = () => surveyRabbit({ ...broker.options, declares: true }, 5_000, silentLogger);
    expect([(await look()).topics, (await look()).topics]).toEqual([[], []]);
  });
});
