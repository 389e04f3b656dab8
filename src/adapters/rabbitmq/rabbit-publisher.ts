import type { Logger } from '../../logging/logger.js';
import { BrokerWatch } from '../../messaging/broker/broker-watch.js';
import { WatchedPublisher } from '../../messaging/broker/watched-publisher.js';
import { RabbitLook } from './rabbit-look.js';
import type { RabbitOptions } from './rabbit-options.js';
import { allQueues } from './rabbit-queues.js';
import { RabbitSender } from './rabbit-sender.js';

/** Publishes to RabbitMQ; a send is acknowledged when its queue has stored it. */
export class RabbitPublisher extends WatchedPublisher {
  constructor(options: RabbitOptions, logger: Logger) {
    const own = logger.child({ part: 'rabbitmq-publisher' });
    const look = new RabbitLook(options, allQueues(options));
    super(new RabbitSender(options, own), new BrokerWatch(look, options.sendDeadlineMs, own));
  }
}
