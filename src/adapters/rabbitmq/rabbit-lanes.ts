import type { Logger } from '../../logging/logger.js';
import { requireAll } from '../../messaging/broker/broker-watch.js';
import type { LaneGroup } from '../../messaging/broker/lane-groups.js';
import type { BrokerLanes, Deliver, Lane } from '../../messaging/broker/laned-consumer.js';
import type { DeadLetterOrigin } from '../../messaging/dead-letter.js';
import type { IncomingMessage } from '../../messaging/message-consumer.js';
import { MessageRefused, type MessageHeaders } from '../../messaging/message-publisher.js';
import { brokerName, type ConsumerGroup, type DeadLetters, type Destination } from '../../messaging/topic.js';
import { RabbitLane } from './rabbit-lane.js';
import { RabbitLook } from './rabbit-look.js';
import { incomingMessage, keyHeader, outgoingHeaders, type RabbitRecord } from './rabbit-message.js';
import type { ConsumerTimings, RabbitReading } from './rabbit-options.js';
import { queuesOf } from './rabbit-queues.js';
import { RabbitRoster } from './rabbit-roster.js';
import { RabbitSender } from './rabbit-sender.js';

/** RabbitMQ's part of a consumer: places in line at the queues, the other members, and the queue of dead letters. */
export class RabbitLanes implements BrokerLanes<RabbitRecord> {
  private readonly sender: RabbitSender;
  private readonly roster: RabbitRoster;
  private readonly lanes: RabbitLane[] = [];

  constructor(
    private readonly options: RabbitReading,
    group: ConsumerGroup,
    private readonly timings: ConsumerTimings,
    private readonly logger: Logger,
  ) {
    this.sender = new RabbitSender(options, logger);
    const letPass = (): void => this.lanes.forEach((lane) => lane.letPass());
    this.roster = new RabbitRoster(options, brokerName(options.prefix, group), timings, letPass, logger);
  }

  async check(destinations: readonly Destination[]): Promise<void> {
    if (!this.options.found) {
      const queues = destinations.flatMap((each) => queuesOf(this.options, each));
      await requireAll(new RabbitLook(this.options, queues), this.options.sendDeadlineMs, this.logger);
    }
    this.roster.start();
  }

  open({ id, topic }: LaneGroup, deliver: Deliver<RabbitRecord>): Lane {
    const queues = queuesOf(this.options, topic);
    const terms = { options: this.options, timings: this.timings, name: id, queues };
    const lane = new RabbitLane(terms, this.roster, deliver, this.logger);
    this.lanes.push(lane);
    return lane;
  }

  incoming(record: RabbitRecord): IncomingMessage {
    return incomingMessage(record, this.options.prefix);
  }

  /** AMQP numbers deliveries, not messages. */
  originOf({ queue, message }: RabbitRecord): DeadLetterOrigin {
    return { topic: queue, offset: String(message.fields.deliveryTag) };
  }

  async moveAside(
    { message: { content, properties } }: RabbitRecord,
    deadLetters: DeadLetters,
    headers: MessageHeaders,
  ): Promise<void> {
    const queue = brokerName(this.options.prefix, deadLetters);
    const original = properties.headers ?? {};
    const send = (all: Readonly<Record<string, unknown>>): Promise<void> =>
      this.sender.sendMail([{ queue, content, headers: all }], this.options.sendDeadlineMs);
    try {
      await send({ ...outgoingHeaders(original), ...headers });
    } catch (error) {
      if (!(error instanceof MessageRefused)) throw error;
      // Its own headers are what does not fit. A letter that can never be stored would keep its queue for ever.
      const count = String(Object.keys(original).length);
      const key: unknown = original[keyHeader];
      await send({ ...(typeof key === 'string' ? { [keyHeader]: key } : {}), ...headers, 'x-dead-headers': count });
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.roster.stop(), this.sender.stop()]);
  }
}
