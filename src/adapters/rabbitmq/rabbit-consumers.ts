import type { Logger } from '../../logging/logger.js';
import { LanedConsumer } from '../../messaging/broker/laned-consumer.js';
import { brokerUnavailable, withDeadline } from '../../messaging/deadline.js';
import type { MessageConsumer, MessageConsumers } from '../../messaging/message-consumer.js';
import { topics, type ConsumerGroup, type Topic } from '../../messaging/topic.js';
import { RabbitConnection } from './rabbit-connection.js';
import { describeRabbitError } from './rabbit-errors.js';
import { RabbitLanes } from './rabbit-lanes.js';
import { defaultTimings, type ConsumerTimings, type RabbitReading } from './rabbit-options.js';
import { ask, queuesOf } from './rabbit-queues.js';

/** Consumers that read from RabbitMQ. */
export class RabbitConsumers implements MessageConsumers {
  private readonly timings: ConsumerTimings;

  constructor(
    private readonly options: RabbitReading,
    private readonly logger: Logger,
    timings: Partial<ConsumerTimings> = {},
  ) {
    this.timings = { ...defaultTimings, ...timings };
  }

  create(group: ConsumerGroup): MessageConsumer {
    const { prefix, found } = this.options;
    const logger = this.logger.child({ part: 'rabbitmq-consumer', group });
    const lanes = new RabbitLanes(this.options, group, this.timings, logger);
    const read = found && topics.filter((topic) => queuesOf(this.options, topic).length > 0);
    const { silenceMs } = this.timings;
    return new LanedConsumer(lanes, { prefix, group, silenceMs, topics: read }, logger);
  }

  /** RabbitMQ tells what nobody was given: the one message that each queue may have in hand is not counted. */
  async lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    let connection: RabbitConnection | undefined;
    try {
      return await withDeadline(deadlineMs, async (expired) => {
        connection = await RabbitConnection.open(this.options.url, 'lag', deadlineMs, expired);
        return ask(connection, async (channel) => {
          const lags = new Map<Topic, number>();
          for (const topic of topics) {
            const counts = queuesOf(this.options, topic).map((queue) => channel.checkQueue(queue));
            lags.set(
              topic,
              (await Promise.all(counts)).reduce((sum, { messageCount }) => sum + messageCount, 0),
            );
          }
          return lags;
        });
      });
    } catch (error) {
      throw brokerUnavailable(`RabbitMQ did not tell how much waits: ${describeRabbitError(error)}.`, error);
    } finally {
      connection?.cut();
    }
  }
}
