import { CommitOutcomeUnknown, type Database, type TransactionContext } from '../database/database.js';
import type { OutboxRepository, PendingMessage } from '../database/repositories/outbox-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { Logger } from '../logging/logger.js';
import { brokerUnavailable } from './deadline.js';
import { destinationOf } from './destination-of.js';
import { taskMessageIn } from './message-codec.js';
import { MessageRefused, type MessagePublisher, type OutgoingMessage } from './message-publisher.js';

const batch = 100;
/** Refusals of one message, over some minutes, after which it is set aside. */
const mostTries = 12;
const firstDelayMs = 500;
const longestDelayMs = 60_000;
/** Longest pause between two looks while the broker is away. */
const longestPauseMs = 5_000;

export interface RelayCounts {
  readonly sent: number;
  readonly postponed: number;
  readonly failed: number;
}

const nothing: RelayCounts = { sent: 0, postponed: 0, failed: 0 };

export interface OutboxRelayOptions {
  /** Pause between two looks at an empty outbox. */
  readonly intervalMs: number;
  readonly sendDeadlineMs: number;
}

/** A transaction that holds rows, and until when it may wait for the broker. */
interface Round {
  readonly tx: TransactionContext;
  readonly endsAt: number;
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
  private progressAt: number | undefined;
  /** Rounds in a row in which nothing could be sent. */
  private vainRounds = 0;

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

  /** Sends one batch of what is due. Rejects only if the database is away. */
  async runOnce(): Promise<RelayCounts> {
    let held: readonly PendingMessage[] = [];
    try {
      return await this.database.transaction(async (tx) => {
        held = await this.outbox.lockDue(tx, batch);
        return this.sendAll(this.roundIn(tx), held);
      });
    } catch (error) {
      if (isDatabaseAway(error) || held.length === 0) throw error;
      // A statement failed, and with it the transaction of all: each row in one of its own tells which it was.
      return this.sendApart(held);
    }
  }

  private roundIn(tx: TransactionContext): Round {
    return { tx, endsAt: performance.now() + this.options.sendDeadlineMs };
  }

  /** Topics do not wait for each other: one that is missing holds up only itself. */
  private async sendAll(round: Round, rows: readonly PendingMessage[]): Promise<RelayCounts> {
    const topics = [...new Set(rows.map(({ topic }) => topic))];
    const outcomes = await Promise.allSettled(
      topics.map((topic) =>
        this.sendTogether(
          round,
          rows.filter((row) => row.topic === topic),
        ),
      ),
    );
    // Only now is the transaction nobody's: a statement that came after its end would run outside of it.
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return outcomes.reduce((sum, outcome) => (outcome.status === 'fulfilled' ? add(sum, outcome.value) : sum), nothing);
  }

  private async sendTogether(round: Round, rows: readonly PendingMessage[]): Promise<RelayCounts> {
    try {
      await this.send(round, rows);
      return { ...nothing, sent: rows.length };
    } catch (error) {
      if (error instanceof MessageRefused) {
        return rows.length === 1 ? this.refuse(round.tx, rows[0] as PendingMessage, error) : this.sendEach(round, rows);
      }
      if (isBrokerAway(error)) return this.postponeAll(round.tx, rows, error);
      throw error;
    }
  }

  /** One of the rows is refused: each on its own tells which. */
  private async sendEach(round: Round, rows: readonly PendingMessage[]): Promise<RelayCounts> {
    let counts = nothing;
    for (const row of rows) counts = add(counts, await this.sendTogether(round, [row]));
    return counts;
  }

  private async sendApart(rows: readonly PendingMessage[]): Promise<RelayCounts> {
    let counts = nothing;
    for (const row of rows) counts = add(counts, await this.sendAlone(row));
    return counts;
  }

  private async sendAlone(row: PendingMessage): Promise<RelayCounts> {
    try {
      return await this.inOwnTransaction(row.id, (tx, held) => this.sendTogether(this.roundIn(tx), [held]));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      return this.inOwnTransaction(row.id, (tx, held) => this.refuse(tx, held, error));
    }
  }

  private inOwnTransaction(
    id: Id,
    work: (tx: TransactionContext, row: PendingMessage) => Promise<RelayCounts>,
  ): Promise<RelayCounts> {
    return this.database.transaction(async (tx) => {
      const row = await this.outbox.lockOne(tx, id);
      return row ? work(tx, row) : nothing;
    });
  }

  private async send({ tx, endsAt }: Round, rows: readonly PendingMessage[]): Promise<void> {
    const messages = rows.map(outgoing);
    const deadlineMs = endsAt - performance.now();
    if (deadlineMs <= 0) throw brokerUnavailable('The message broker took too long with the messages before.');
    await this.publisher.publish(messages, { transaction: tx, deadlineMs });
    await this.outbox.markSent(
      tx,
      rows.map(({ id }) => id),
    );
  }

  private async refuse(tx: TransactionContext, row: PendingMessage, error: unknown): Promise<RelayCounts> {
    const tries = row.tries + 1;
    const reason = error instanceof Error ? error.message : String(error);
    if (tries >= mostTries) {
      this.logger.error('an outbox message is set aside', { outboxId: row.id, error });
      await this.outbox.fail(tx, row.id, tries, reason);
      return { ...nothing, failed: 1 };
    }
    await this.outbox.postpone(tx, row.id, tries, this.delay(tries), reason);
    return { ...nothing, postponed: 1 };
  }

  private async postponeAll(
    tx: TransactionContext,
    rows: readonly PendingMessage[],
    error: AppError,
  ): Promise<RelayCounts> {
    const level = this.vainRounds === 0 ? 'warn' : 'debug';
    this.logger[level]('outbox messages wait for the broker', { messages: rows.length, error });
    const ids = rows.map(({ id }) => id);
    await this.outbox.postponeAll(tx, ids, this.delay(1), error.message);
    return { ...nothing, postponed: rows.length };
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
      const { sent, postponed } = await this.runOnce();
      more = sent > 0;
      this.vainRounds = postponed > 0 && sent === 0 ? this.vainRounds + 1 : 0;
      this.progressAt = performance.now();
    } catch (error) {
      this.logger.warn('the outbox could not be looked at', { error });
    }
    if (this.running) this.schedule(more || this.wakened ? 0 : this.pauseMs());
  }

  private pauseMs(): number {
    const { intervalMs } = this.options;
    return Math.max(intervalMs, Math.min(longestPauseMs, intervalMs * 2 ** Math.min(this.vainRounds, 10)));
  }
}

function outgoing({ topic, key, value, headers }: PendingMessage): OutgoingMessage {
  const destination = destinationOf(topic, headers);
  if (!destination) throw new MessageRefused(`there is no topic ${topic}`);
  const message = taskMessageIn(value);
  if (typeof message === 'string') throw new MessageRefused(message);
  return { topic: destination, key, value: message, headers };
}

function add(a: RelayCounts, b: RelayCounts): RelayCounts {
  return { sent: a.sent + b.sent, postponed: a.postponed + b.postponed, failed: a.failed + b.failed };
}

function isBrokerAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'BROKER_UNAVAILABLE';
}

function isDatabaseAway(error: unknown): boolean {
  return error instanceof CommitOutcomeUnknown || (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE');
}
