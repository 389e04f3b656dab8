import type { Logger } from '../../logging/logger.js';
import { BrokerWatch } from '../../messaging/broker/broker-watch.js';
import { WatchedPublisher } from '../../messaging/broker/watched-publisher.js';
import { KafkaLook } from './kafka-look.js';
import type { KafkaOptions } from './kafka-options.js';
import { KafkaSender } from './kafka-sender.js';
import { topicNames } from './kafka-topics.js';

/** Publishes to Kafka; a send is acknowledged by every in-sync replica. */
export class KafkaPublisher extends WatchedPublisher {
  constructor(options: KafkaOptions, logger: Logger) {
    const own = logger.child({ part: 'kafka-publisher' });
    const look = new KafkaLook(options, topicNames(options.prefix), own);
    super(new KafkaSender(options, own), new BrokerWatch(look, options.sendDeadlineMs, own));
  }
}
