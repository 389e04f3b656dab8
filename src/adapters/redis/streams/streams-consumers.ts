import type { Logger } from '../../../logging/logger.js';
import { LanedConsumer } from '../../../messaging/broker/laned-consumer.js';
import { brokerUnavailable, withDeadline } from '../../../messaging/deadline.js';
import type { MessageConsumer, MessageConsumers } from '../../../messaging/message-consumer.js';
import { topics, type ConsumerGroup, type Topic } from '../../../messaging/topic.js';
import { StreamConnection } from './stream-connection.js';
import { describeRedisError } from './stream-errors.js';
import { streamsOf } from './stream-names.js';
import { defaultTimings, type ConsumerTimings, type StreamReading } from './stream-options.js';
import { StreamsLanes } from './streams-lanes.js';

/** Consumers that read from streams in Redis. */
export class StreamsConsumers implements MessageConsumers {
  private readonly timings: ConsumerTimings;

  constructor(
    private readonly options: StreamReading,
    private readonly logger: Logger,
    timings: Partial<ConsumerTimings> = {},
  ) {
    this.timings = { ...defaultTimings, ...timings };
  }

  create(group: ConsumerGroup): MessageConsumer {
    const logger = this.logger.child({ part: 'redis-consumer', group });
    const lanes = new StreamsLanes(this.options, this.timings, logger);
    const { prefix, found } = this.options;
    const { silenceMs } = this.timings;
    return new LanedConsumer(lanes, { prefix, group, silenceMs, topics: found }, logger);
  }

  /** What was acknowledged is gone, so all that lies in a stream counts. */
  async lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    let connection: StreamConnection | undefined;
    try {
      return await withDeadline(deadlineMs, async (expired) => {
        const { redis } = (connection = await StreamConnection.open(this.options.url, 'lag', deadlineMs, expired));
        const lagOf = async (topic: Topic): Promise<[Topic, number]> => {
          const lengths = await Promise.all(streamsOf(this.options, topic).map((stream) => redis.xlen(stream)));
          return [topic, lengths.reduce((sum, length) => sum + length, 0)];
        };
        return new Map(await Promise.all(topics.map(lagOf)));
      });
    } catch (error) {
      throw brokerUnavailable(`Redis did not tell how much waits: ${describeRedisError(error)}.`, error);
    } finally {
      connection?.cut();
    }
  }
}
