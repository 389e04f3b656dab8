import type { Logger } from '../../logging/logger.js';
import type { MessageConsumer, MessageConsumers } from '../../messaging/message-consumer.js';
import type { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { KafkaConsumer } from './kafka-consumer.js';
import { readLag } from './kafka-lag.js';
import { consumerTimings, defaultSessionMs, type KafkaOptions } from './kafka-options.js';

/** Consumers that read from Kafka. */
export class KafkaConsumers implements MessageConsumers {
  constructor(
    private readonly options: KafkaOptions & {
      /** How long a group keeps a silent member, in ms; 10 s unless given. */
      readonly sessionMs?: number;
    },
    private readonly logger: Logger,
  ) {}

  create(group: ConsumerGroup): MessageConsumer {
    const timings = consumerTimings(this.options.sessionMs ?? defaultSessionMs);
    return new KafkaConsumer(this.options, group, timings, this.logger.child({ part: 'kafka-consumer', group }));
  }

  lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    return readLag(this.options, deadlineMs, this.logger);
  }
}
