import type { Logger } from '../../logging/logger.js';
import { requireAll } from '../../messaging/broker/broker-watch.js';
import type { LaneGroup } from '../../messaging/broker/lane-groups.js';
import type { BrokerLanes, Deliver, Lane } from '../../messaging/broker/laned-consumer.js';
import type { DeadLetterOrigin } from '../../messaging/dead-letter.js';
import type { IncomingMessage } from '../../messaging/message-consumer.js';
import { MessageRefused, type MessageHeaders } from '../../messaging/message-publisher.js';
import { brokerName, type DeadLetters, type Destination } from '../../messaging/topic.js';
import { KafkaLane } from './kafka-lane.js';
import { KafkaLook } from './kafka-look.js';
import type { ConsumerTimings, KafkaReading } from './kafka-options.js';
import { incomingMessage, type KafkaRecord } from './kafka-record.js';
import { KafkaSender } from './kafka-sender.js';

/** What is kept of a value that even the dead-letter topic refuses, in bytes. */
const shortenedBytes = 64 * 1_024;

/** Kafka's part of a consumer: members of groups, and the dead-letter topic. */
export class KafkaLanes implements BrokerLanes<KafkaRecord> {
  private readonly sender: KafkaSender;

  constructor(
    private readonly options: KafkaReading,
    private readonly timings: ConsumerTimings,
    private readonly logger: Logger,
  ) {
    this.sender = new KafkaSender(options, logger);
  }

  async check(destinations: readonly Destination[]): Promise<void> {
    if (this.options.found) return;
    const names = destinations.map((each) => brokerName(this.options.prefix, each));
    await requireAll(new KafkaLook(this.options, names, this.logger), this.options.sendDeadlineMs, this.logger);
  }

  open({ id: group, topic }: LaneGroup, deliver: Deliver<KafkaRecord>): Lane {
    const { options: access, timings, logger } = this;
    return new KafkaLane({ access, group, topic: brokerName(access.prefix, topic), timings }, deliver, logger);
  }

  incoming(record: KafkaRecord): IncomingMessage {
    return incomingMessage(record, this.options.prefix);
  }

  originOf({ topic, partition, message }: KafkaRecord): DeadLetterOrigin {
    return { topic, partition, offset: message.offset };
  }

  async moveAside({ message }: KafkaRecord, deadLetters: DeadLetters, headers: MessageHeaders): Promise<void> {
    const { key, value } = message;
    const letter = { key, value, headers: { ...message.headers, ...headers } };
    const topic = brokerName(this.options.prefix, deadLetters);
    const send = (messages: (typeof letter)[]): Promise<void> =>
      this.sender.sendBatches([{ topic, messages }], this.options.sendDeadlineMs);
    try {
      await send([letter]);
    } catch (error) {
      if (!(error instanceof MessageRefused) || !value) throw error;
      // A letter that can never be stored would keep its partition for ever. The whole value stays at its old place.
      const shortened = { ...letter.headers, 'x-dead-bytes': String(value.length) };
      await send([{ key, value: value.subarray(0, shortenedBytes), headers: shortened }]);
    }
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }
}
