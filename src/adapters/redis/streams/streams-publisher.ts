import type { Logger } from '../../../logging/logger.js';
import { BrokerWatch } from '../../../messaging/broker/broker-watch.js';
import { WatchedPublisher } from '../../../messaging/broker/watched-publisher.js';
import type { StreamOptions } from './stream-options.js';
import { StreamSender } from './stream-sender.js';
import { StreamsLook } from './streams-look.js';

/** Publishes to streams in Redis; a send is acknowledged when Redis has it, on disk as its settings say. */
export class StreamsPublisher extends WatchedPublisher {
  constructor(options: StreamOptions, logger: Logger) {
    const own = logger.child({ part: 'redis-publisher' });
    const look = new StreamsLook(options, (weakness) => own.warn('the broker may lose messages', { weakness }));
    super(new StreamSender(options, own), new BrokerWatch(look, options.sendDeadlineMs, own));
  }
}
