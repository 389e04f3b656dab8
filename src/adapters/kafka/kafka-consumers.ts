import type { Logger } from '../../logging/logger.js';
import { LanedConsumer } from '../../messaging/broker/laned-consumer.js';
import type { MessageConsumer, MessageConsumers } from '../../messaging/message-consumer.js';
import type { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { KafkaLanes } from './kafka-lanes.js';
import { readLag } from './kafka-lag.js';
import { consumerTimings, defaultSessionMs, type KafkaReading } from './kafka-options.js';

/** Consumers that read from Kafka. */
export class KafkaConsumers implements MessageConsumers {
  constructor(
    private readonly options: KafkaReading,
    private readonly logger: Logger,
  ) {}

  create(group: ConsumerGroup): MessageConsumer {
    const { prefix, sessionMs = defaultSessionMs, found } = this.options;
    const timings = consumerTimings(sessionMs);
    const logger = this.logger.child({ part: 'kafka-consumer', group });
    const lanes = new KafkaLanes(this.options, timings, logger);
    const { silenceMs } = timings;
    return new LanedConsumer(lanes, { prefix, group, silenceMs, topics: found }, logger);
  }

  lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    return readLag(this.options, deadlineMs, this.logger);
  }
}
