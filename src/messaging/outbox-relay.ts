import type { Database, TransactionContext } from '../database/database.js';
import type { OutboxRepository, PendingMessage } from '../database/repositories/outbox-repository.js';
import { AppError } from '../domain/errors.js';
import type { Logger } from '../logging/logger.js';
import { MessageRefused, type MessagePublisher, type OutgoingMessage } from './message-publisher.js';
import { isTopic, type TaskMessage } from './topic.js';

const batch = 50;
/** Refusals of one message after which it is set aside. */
const mostTries = 8;
const firstDelayMs = 500;
const longestDelayMs = 60_000;
const keepSentMs = 24 * 3_600_000;
const trimBatch = 1_000;
const trimEveryMs = 60_000;

export interface RelayCounts {
  readonly sent: number;
  readonly postponed: number;
  readonly failed: number;
}

export interface OutboxRelayOptions {
  /** Pause between two looks at an empty outbox. */
  readonly intervalMs: number;
  readonly sendDeadlineMs: number;
}

/**
 * Sends what transactions left in the outbox. Rows are locked while they are sent, for no longer than the deadline of a
 * send: several relays share the work, and one that dies leaves its rows to the others, which then send them again.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private running = false;
  private wakened = false;
  private trimmedAt = 0;
  private progressAt: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly outbox: OutboxRepository,
    private readonly publisher: MessagePublisher,
    private readonly logger: Logger,
    private readonly options: OutboxRelayOptions,
    private readonly random: () => number = Math.random,
  ) {}

  start(): void {
    this.running = true;
    this.schedule(0);
  }

  /** There is something to send: look now. Cheap, may be called at any time. */
  wake(): void {
    this.wakened = true;
    if (this.running) this.schedule(0);
  }

  /** Waits for the round in flight. May be called twice. */
  async stop(): Promise<void> {
    this.running = false;
    clearTimeout(this.timer);
    await this.round;
  }

  /** ms since the outbox was last looked at with success; undefined before the first time. */
  progressAgeMs(): number | undefined {
    return this.progressAt === undefined ? undefined : performance.now() - this.progressAt;
  }

  /** Sends one batch of what is due. Rejects only if the database does. */
  async runOnce(): Promise<RelayCounts> {
    return this.database.transaction(async (tx) => {
      const rows = await this.outbox.lockDue(tx, batch);
      if (rows.length === 0) return { sent: 0, postponed: 0, failed: 0 };
      try {
        await this.send(tx, rows);
        return { sent: rows.length, postponed: 0, failed: 0 };
      } catch (error) {
        if (error instanceof MessageRefused) return this.sendEach(tx, rows);
        if (!isBrokerAway(error)) throw error;
        return this.postponeAll(tx, rows, error);
      }
    });
  }

  private async send(tx: TransactionContext, rows: readonly PendingMessage[]): Promise<void> {
    await this.publisher.publish(rows.map(outgoing), { transaction: tx, deadlineMs: this.options.sendDeadlineMs });
    await this.outbox.markSent(
      tx,
      rows.map(({ id }) => id),
    );
  }

  /** One of the rows is refused: each on its own tells which. */
  private async sendEach(tx: TransactionContext, rows: readonly PendingMessage[]): Promise<RelayCounts> {
    const counts = { sent: 0, postponed: 0, failed: 0 };
    for (const row of rows) {
      try {
        await this.send(tx, [row]);
        counts.sent += 1;
      } catch (error) {
        if (error instanceof MessageRefused) counts[await this.refuse(tx, row, error)] += 1;
        else if (isBrokerAway(error)) counts.postponed += (await this.postponeAll(tx, [row], error)).postponed;
        else throw error;
      }
    }
    return counts;
  }

  private async refuse(tx: TransactionContext, row: PendingMessage, error: Error): Promise<'postponed' | 'failed'> {
    const tries = row.tries + 1;
    if (tries >= mostTries) {
      this.logger.error('an outbox message is set aside', { outboxId: row.id, error });
      await this.outbox.fail(tx, row.id, tries, error.message);
      return 'failed';
    }
    await this.outbox.postpone(tx, row.id, tries, this.delay(tries), error.message);
    return 'postponed';
  }

  /** A broker that is away is no fault of the messages: their tries stay as they are. */
  private async postponeAll(
    tx: TransactionContext,
    rows: readonly PendingMessage[],
    error: Error,
  ): Promise<RelayCounts> {
    this.logger.warn('outbox messages wait for the broker', { messages: rows.length, error });
    const delay = this.delay(1);
    for (const row of rows) await this.outbox.postpone(tx, row.id, row.tries, delay, error.message);
    return { sent: 0, postponed: rows.length, failed: 0 };
  }

  /** Doubles with each try up to the longest, less up to half at random. */
  private delay(tries: number): number {
    return Math.round(Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1)) * (1 - this.random() / 2));
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.round = this.round.then(() => this.runRound());
    }, delayMs);
  }

  private async runRound(): Promise<void> {
    this.wakened = false;
    let more = false;
    try {
      const { sent } = await this.runOnce();
      more = sent > 0;
      this.progressAt = performance.now();
      await this.trim();
    } catch (error) {
      this.logger.warn('the outbox could not be looked at', { error });
    }
    if (this.running) this.schedule(more || this.wakened ? 0 : this.options.intervalMs);
  }

  private async trim(): Promise<void> {
    if (performance.now() - this.trimmedAt < trimEveryMs) return;
    this.trimmedAt = performance.now();
    await this.outbox.trim(keepSentMs, trimBatch);
  }
}

function outgoing({ topic, key, value, headers }: PendingMessage): OutgoingMessage {
  if (!isTopic(topic)) throw new MessageRefused(`there is no topic ${topic}`);
  return { topic, key, value: value as TaskMessage, headers };
}

function isBrokerAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'BROKER_UNAVAILABLE';
}
