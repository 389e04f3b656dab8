import type { Logger } from '../../../logging/logger.js';
import { requireAll } from '../../../messaging/broker/broker-watch.js';
import type { LaneGroup } from '../../../messaging/broker/lane-groups.js';
import type { BrokerLanes, Deliver, Lane } from '../../../messaging/broker/laned-consumer.js';
import { SessionKeeper } from '../../../messaging/broker/session-keeper.js';
import type { DeadLetterOrigin } from '../../../messaging/dead-letter.js';
import type { IncomingMessage } from '../../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../../messaging/message-publisher.js';
import { brokerName, type DeadLetters } from '../../../messaging/topic.js';
import { describeRedisError, isOutage } from './stream-errors.js';
import { streamsOf } from './stream-names.js';
import type { ConsumerTimings, StreamReading } from './stream-options.js';
import { headerFields, incomingMessage, type StreamRecord } from './stream-record.js';
import { StreamSender } from './stream-sender.js';
import { StreamsLook } from './streams-look.js';
import { StreamsSession } from './streams-session.js';

/** Readers that may be lost one after the other with the same message in hand. */
const mostTimesInHand = 20;

/** Redis's part of a consumer: readers of streams, and the stream of dead letters. */
export class StreamsLanes implements BrokerLanes<StreamRecord> {
  private readonly sender: StreamSender;

  constructor(
    private readonly options: StreamReading,
    private readonly timings: ConsumerTimings,
    private readonly logger: Logger,
  ) {
    this.sender = new StreamSender(options, logger);
  }

  async check(): Promise<void> {
    if (this.options.found) return;
    await requireAll(new StreamsLook(this.options), this.options.sendDeadlineMs, this.logger);
  }

  open({ id: group, topic }: LaneGroup, deliver: Deliver<StreamRecord>): Lane {
    const { options, timings } = this;
    const streams = streamsOf(options, topic);
    return new SessionKeeper(
      () => new StreamsSession({ options, timings, group, streams }, deliver),
      { silenceMs: timings.ownMs, isOutage, describeError: describeRedisError },
      this.logger.child({ lane: group }),
    );
  }

  incoming(record: StreamRecord): IncomingMessage {
    return incomingMessage(record, this.options.prefix);
  }

  /** A message that whoever had it in hand was lost with, again and again, is given up. */
  async takeInHand({ stream, id, timesInHand, noteInHand }: StreamRecord): Promise<string | undefined> {
    // Where Redis cannot be told, the session ends by itself, and the message comes again.
    await noteInHand().catch((error: unknown) => {
      this.logger.warn('it could not be noted that a message is in hand', { stream, id, error });
    });
    return timesInHand < mostTimesInHand
      ? undefined
      : `it was in hand ${timesInHand} times and nobody lived to give a verdict`;
  }

  originOf({ stream, id }: StreamRecord): DeadLetterOrigin {
    return { topic: stream, offset: id };
  }

  /** Fields that an entry had stay as they were, whatever is in them. */
  moveAside({ fields }: StreamRecord, deadLetters: DeadLetters, headers: MessageHeaders): Promise<void> {
    const { prefix, deadLettersKept: kept, sendDeadlineMs } = this.options;
    const stream = brokerName(prefix, deadLetters);
    return this.sender.append([{ stream, fields: [...fields, ...headerFields(headers)], kept }], sendDeadlineMs);
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }
}
