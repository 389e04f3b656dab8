import type PgBoss from 'pg-boss';
import { assertNever } from '../../domain/assert-never.js';
import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import { redeliveryPauseMs } from '../../messaging/broker/redelivery.js';
import { deadLetterHeaders } from '../../messaging/dead-letter.js';
import { brokerUnavailable, settlesWithin } from '../../messaging/deadline.js';
import type { MessageConsumer, MessageHandler, Verdict } from '../../messaging/message-consumer.js';
import type { PartHealth } from '../../messaging/message-publisher.js';
import { brokerName, deadLettersOf, lanesOf, type ConsumerGroup } from '../../messaging/topic.js';
import { bossDbIn, bossOn } from './boss-on.js';
import { ensureQueues } from './ensure-queues.js';
import { incomingMessage, jobData, type JobData } from './job-message.js';
import { QueueJobs, type QueueJob } from './queue-jobs.js';
import { defaultHoldSeconds, type PostgresQueueOptions } from './queue-options.js';
import { signalOf } from './queue-signal.js';
import { Waiter } from './waiter.js';

/** Pause between two looks for what other processes stored, in ms. */
const pollMs = 500;
/** Pause after a look that failed, in ms. */
const troublePauseMs = 1_000;
const stopMs = 5_000;
/** Without a look or a verdict for so many holds the consumer is taken for stuck. */
const silentHolds = 3;

/** Reads the queues of one group, one message at a time; those of a batch only while no other waits. */
export class PostgresQueueConsumer implements MessageConsumer {
  private readonly boss: PgBoss;
  private readonly jobs: QueueJobs;
  private readonly queues: readonly string[];
  private readonly waiter = new Waiter();
  private readonly holdMs: number;
  private running: Promise<void> = Promise.resolve();
  private endListening: () => void = () => undefined;
  private holding: NodeJS.Timeout | undefined;
  private paused = false;
  /** The last look was in vain, and nothing has been announced since. */
  private isQuiet = false;
  private stopped = false;
  private lastProgressAt: number | undefined;
  private trouble: string | undefined = 'not started';

  constructor(
    private readonly database: Database,
    private readonly options: PostgresQueueOptions,
    private readonly group: ConsumerGroup,
    private readonly logger: Logger,
  ) {
    this.boss = bossOn(database);
    this.jobs = new QueueJobs(database);
    this.queues = lanesOf(group).map((topic) => brokerName(options.prefix, topic));
    this.holdMs = (options.holdSeconds ?? defaultHoldSeconds) * 1_000;
  }

  /** @throws AppError DATABASE_UNAVAILABLE. */
  async start(handler: MessageHandler): Promise<void> {
    await ensureQueues(this.database, this.options);
    this.trouble = undefined;
    this.lastProgressAt = performance.now();
    this.endListening = signalOf(this.database).listen((topic) => {
      if (lanesOf(this.group).includes(topic)) this.waiter.wake();
    });
    this.running = this.run(handler);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.waiter.wake();
  }

  health(): PartHealth {
    const age = this.lastProgressAt === undefined ? undefined : performance.now() - this.lastProgressAt;
    const isSilent = age !== undefined && age > this.holdMs * silentHolds;
    const detail = this.trouble ?? (isSilent ? 'a message or a look at the queues does not end' : undefined);
    return {
      up: detail === undefined,
      ...(detail === undefined ? {} : { detail }),
      ...(age === undefined ? {} : { lastProgressAgeMs: age }),
    };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endListening();
    this.waiter.wake();
    await settlesWithin(stopMs, this.running);
    this.trouble = 'stopped';
    // A message that is still in hand goes back to the others when its hold ends.
    clearInterval(this.holding);
  }

  private async run(handler: MessageHandler): Promise<void> {
    while (!this.stopped) {
      this.waiter.begin();
      try {
        const job = await this.take();
        this.trouble = undefined;
        if (job) await this.handle(job, handler);
        else this.isQuiet = !(await this.waiter.wait(pollMs));
        this.lastProgressAt = performance.now();
      } catch (error) {
        this.note(error);
        if (!this.stopped) await this.waiter.wait(troublePauseMs);
      }
    }
  }

  private note(error: unknown): void {
    if (this.trouble === undefined) this.logger.warn('the queues cannot be read', { error });
    this.trouble = error instanceof Error ? error.message : String(error);
  }

  /** The next message, of the most urgent queue that has one. */
  private async take(): Promise<QueueJob | undefined> {
    if (this.paused || (this.isQuiet && !(await this.jobs.isAny(this.queues)))) return undefined;
    this.isQuiet = false;
    for (const queue of this.queues) {
      const job = await this.jobs.takeNext(queue);
      if (!job) continue;
      if (!this.isHeld()) return job;
      await this.jobs.putOff(job, 0);
      return undefined;
    }
    return undefined;
  }

  /** It may have been paused or stopped while the database was asked. */
  private isHeld(): boolean {
    return this.paused || this.stopped;
  }

  private async handle(job: QueueJob, handler: MessageHandler): Promise<void> {
    this.holding = setInterval(() => {
      this.jobs.hold(job).catch((error: unknown) => this.logger.debug('a hold was not renewed', { error }));
    }, this.holdMs / 3);
    try {
      await this.obey(await this.judge(job, handler), job);
    } finally {
      clearInterval(this.holding);
    }
  }

  private async judge(job: QueueJob, handler: MessageHandler): Promise<Verdict> {
    try {
      return await handler(incomingMessage(job, this.options.prefix));
    } catch (error) {
      this.logger.error('a message handler failed', { ...placeOf(job), error });
      return { type: 'later', reason: 'the handler failed' };
    }
  }

  /** Rejects if the database does; the message is then delivered again when its hold ends. */
  private async obey(verdict: Verdict, job: QueueJob): Promise<void> {
    switch (verdict.type) {
      case 'done':
        return this.jobs.end(job);
      case 'later':
        this.logger.debug('message put off', { ...placeOf(job), reason: verdict.reason });
        return this.putOff(job);
      case 'dead':
        return this.moveAside(job, verdict.reason);
      default:
        return assertNever(verdict);
    }
  }

  private async putOff(job: QueueJob): Promise<void> {
    const delayMs = redeliveryPauseMs(job.earlier);
    await this.jobs.putOff(job, delayMs);
    this.waiter.wakeIn(delayMs);
  }

  /** The dead letter and the end of the message are one transaction. */
  private async moveAside(job: QueueJob, reason: string): Promise<void> {
    const message = jobData(job.data);
    const origin = { topic: job.queue, offset: job.id };
    const letter: JobData = { ...message, headers: { ...message.headers, ...deadLetterHeaders(reason, origin) } };
    const deadLetters = brokerName(this.options.prefix, deadLettersOf(this.group));
    try {
      await this.database.transaction(async (transaction) => {
        const db = bossDbIn(transaction);
        const options = job.key === null ? { db } : { db, singletonKey: job.key };
        if ((await this.boss.send(deadLetters, letter, options)) === null) {
          throw brokerUnavailable(`the queue ${deadLetters} is missing`);
        }
        await this.boss.deleteJob(job.queue, job.id, { db });
      });
      this.logger.warn('message moved to the dead letters', { ...placeOf(job), reason });
    } catch (error) {
      this.logger.error('a dead letter could not be stored; its key waits', { ...placeOf(job), reason, error });
      await this.putOff(job);
    }
  }
}

function placeOf({ queue, id, key }: QueueJob): Record<string, unknown> {
  return { queue, jobId: id, key };
}
