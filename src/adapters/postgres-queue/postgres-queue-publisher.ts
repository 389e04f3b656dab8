import type PgBoss from 'pg-boss';
import type { Database, TransactionContext } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable, withDeadline } from '../../messaging/deadline.js';
import { bytesOf } from '../../messaging/message-codec.js';
import { refuseTooLarge } from '../../messaging/refuse-too-large.js';
import type {
  MessagePublisher,
  OutgoingMessage,
  PartHealth,
  ReturnedMessage,
  SendContext,
} from '../../messaging/message-publisher.js';
import { brokerName, isTopic } from '../../messaging/topic.js';
import { asUnavailable } from './as-unavailable.js';
import { bossDbIn, bossOn } from './boss-on.js';
import { ensureQueues } from './ensure-queues.js';
import { jobDataOf } from './job-message.js';
import { OrderedUuids } from './ordered-uuid.js';
import type { PostgresQueueOptions } from './queue-options.js';
import { signalOf, type QueueSignal } from './queue-signal.js';

const tidyEveryMs = 3_600_000;

/**
 * Publishes into queues that lie in the database itself: a send that is given a transaction is part of it, stored exactly
 * if it commits.
 */
export class PostgresQueuePublisher implements MessagePublisher {
  private readonly boss: PgBoss;
  private readonly signal: QueueSignal;
  private readonly ids = new OrderedUuids(() => Date.now());
  private timer: NodeJS.Timeout | undefined;
  private tidying: Promise<void> = Promise.resolve();
  private lastSuccessAt: number | undefined;
  private trouble: string | undefined = 'not started';

  constructor(
    private readonly database: Database,
    private readonly options: PostgresQueueOptions,
    private readonly logger: Logger,
  ) {
    this.boss = bossOn(database);
    this.signal = signalOf(database);
  }

  /** Makes what is missing of the queues. @throws AppError DATABASE_UNAVAILABLE. */
  async start(): Promise<void> {
    await ensureQueues(this.database, this.options);
    this.trouble = undefined;
    this.timer = setInterval(() => {
      this.tidying = this.tidy();
    }, tidyEveryMs);
    this.timer.unref();
  }

  async publish(
    messages: readonly (OutgoingMessage | ReturnedMessage)[],
    { transaction, deadlineMs }: SendContext,
  ): Promise<void> {
    if (messages.length === 0) return;
    refuseTooLarge(messages);
    try {
      await withDeadline(deadlineMs, (expired) =>
        transaction
          ? this.store(messages, transaction, expired)
          : this.database.transaction((own) => this.store(messages, own, expired)),
      );
      this.trouble = undefined;
      this.lastSuccessAt = performance.now();
    } catch (error) {
      throw transaction ? error : asUnavailable(error);
    }
  }

  health(): PartHealth {
    return {
      up: this.trouble === undefined,
      ...(this.trouble === undefined ? {} : { detail: this.trouble }),
      ...(this.lastSuccessAt === undefined ? {} : { lastProgressAgeMs: performance.now() - this.lastSuccessAt }),
    };
  }

  /** Sends in flight are their callers' transactions, which end by themselves. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.trouble = 'stopped';
    await this.tidying;
  }

  private async store(
    messages: readonly (OutgoingMessage | ReturnedMessage)[],
    transaction: TransactionContext,
    expired: AbortSignal,
  ): Promise<void> {
    const db = bossDbIn(transaction);
    for (const message of messages) {
      const { topic, key, headers } = message;
      // Whoever gave the transaction may have ended it by now.
      expired.throwIfAborted();
      const queue = brokerName(this.options.prefix, topic);
      const data = jobDataOf(bytesOf(message), headers);
      const stored = await this.boss.send(queue, data, { id: this.ids.next(), singletonKey: key, db });
      if (stored === null) throw brokerUnavailable(`The queue ${queue} is missing; starting the service makes it.`);
    }
    transaction.afterCommit(() => {
      for (const topic of new Set(messages.map((message) => message.topic))) {
        if (isTopic(topic)) this.signal.announce(topic);
      }
    });
  }

  /** Drops messages and dead letters that outlived their time. */
  private async tidy(): Promise<void> {
    try {
      await this.boss.maintain();
    } catch (error) {
      this.logger.warn('the queues could not be tidied', { error });
    }
  }
}
