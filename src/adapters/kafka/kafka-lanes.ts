import type { KafkaMessage, Message } from 'kafkajs';
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

/** What is kept of a value, and of a key, that even the dead-letter topic refuses, in bytes. */
const shortenedBytes = 64 * 1_024;
const shortenedKeyBytes = 256;

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
    const topic = brokerName(this.options.prefix, deadLetters);
    // A letter that can never be stored would keep its partition for ever. The whole message stays at its old place.
    for (const letter of lettersOf(message, headers)) {
      try {
        return await this.sender.sendBatches([{ topic, messages: [letter] }], this.options.sendDeadlineMs);
      } catch (error) {
        if (!(error instanceof MessageRefused)) throw error;
        this.logger.debug('a dead letter is too large', { topic, error });
      }
    }
    throw new MessageRefused('not even what is left of the message fits');
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }
}

/** The whole message; the same with less of its value; the same without its headers: what is small enough is stored. */
function lettersOf({ key, value, headers: own }: KafkaMessage, headers: MessageHeaders): Message[] {
  const cut = value && value.length > shortenedBytes ? { 'x-dead-bytes': String(value.length) } : {};
  const shortened = value && value.subarray(0, shortenedBytes);
  // kafkajs takes minutes for the hash of a long key, and the process does nothing else meanwhile.
  const place = key && key.length > shortenedKeyBytes ? { partition: 0 } : {};
  const bare = { ...headers, ...cut, 'x-dead-headers': String(Object.keys(own ?? {}).length) };
  return [
    { ...place, key, value, headers: { ...own, ...headers } },
    { ...place, key, value: shortened, headers: { ...own, ...headers, ...cut } },
    { key: key && key.subarray(0, shortenedKeyBytes), value: shortened, headers: bare },
  ];
}
