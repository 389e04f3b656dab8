import { AppError } from '../../domain/errors.js';
import type { Logger } from '../../logging/logger.js';
import { RetryingSender } from '../../messaging/broker/retrying-sender.js';
import type { MessageSender } from '../../messaging/broker/watched-publisher.js';
import { brokerUnavailable } from '../../messaging/deadline.js';
import { bytesOf } from '../../messaging/message-codec.js';
import { MessageRefused, type OutgoingMessage, type ReturnedMessage } from '../../messaging/message-publisher.js';
import { describeRabbitError, isNack, isOwnFault } from './rabbit-errors.js';
import { Unroutable, RabbitLink, type Mail } from './rabbit-link.js';
import { keyHeader, outgoingHeaders } from './rabbit-message.js';
import type { RabbitOptions } from './rabbit-options.js';
import { queueFor } from './rabbit-queues.js';

/** A queue that was only just made may be unknown for a moment. */
const looksForQueue = 3;

/** Sends to RabbitMQ with a deadline. */
export class RabbitSender implements MessageSender {
  private readonly sender: RetryingSender<readonly Mail[]>;

  constructor(
    private readonly options: RabbitOptions,
    logger: Logger,
  ) {
    this.sender = new RetryingSender(() => new RabbitLink(options), judge, options.sendDeadlineMs, logger);
  }

  async send(messages: readonly (OutgoingMessage | ReturnedMessage)[], deadlineMs: number): Promise<void> {
    await this.sendMail(
      messages.map((message) => this.mailOf(message)),
      deadlineMs,
    );
  }

  /** Resolves when the broker has stored every message. @throws AppError BROKER_UNAVAILABLE. @throws MessageRefused. */
  sendMail(mail: readonly Mail[], deadlineMs: number): Promise<void> {
    return this.sender.send(mail, deadlineMs);
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }

  private mailOf(message: OutgoingMessage | ReturnedMessage): Mail {
    const { topic, key, headers } = message;
    return {
      queue: queueFor(this.options, topic, key),
      content: bytesOf(message),
      headers: { ...outgoingHeaders(headers), [keyHeader]: key },
    };
  }
}

function judge(error: unknown, tries: number): 'again' | 'new link' {
  if (error instanceof AppError) throw error;
  if (isOwnFault(error)) throw new MessageRefused(describeRabbitError(error), { cause: error });
  if (error instanceof Unroutable) {
    if (tries < looksForQueue) return 'again';
    throw brokerUnavailable('A queue is missing on the broker; create the queues with `npm run topics`.', error);
  }
  return isNack(error) ? 'again' : 'new link';
}
