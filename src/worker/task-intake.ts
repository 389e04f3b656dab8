import type { DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import type { ClaimedTask, ClaimOutcome, ClaimRefusal } from '../database/repositories/task-lease-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import type { Logger } from '../logging/logger.js';
import { deadMessage } from '../messaging/dead-letter.js';
import type { IncomingMessage, MessageConsumer, Verdict } from '../messaging/message-consumer.js';
import { decodeTaskMessage } from '../messaging/message-codec.js';
import { isTopic, priorityOf } from '../messaging/topic.js';
import { continueTrace } from '../tracing/trace-context.js';
import { traceFields, withTrace } from '../tracing/trace-scope.js';
import type { ClaimTask } from './claim-task.js';
import { Slots } from './slots.js';

/** A message comes before its task, or before the retry that it announces, while that transaction has yet to commit. */
const mayBeEarly: ReadonlySet<ClaimRefusal> = new Set(['unknown', 'unseen', 'failed']);
/** How long after each look the next one follows, in ms. */
const secondLooksMs = [50, 100, 200, 400, 800, 1_500];
/** Messages that may wait for their tasks at once; what is beyond them is left to upkeep. */
const longestWait = 1_000;

const databaseSilent: Verdict = { type: 'later', reason: 'the database did not answer' };

export interface TaskIntakeParts {
  readonly consumer: MessageConsumer;
  readonly claims: ClaimTask;
  /** Works on a claimed task; resolves when its result is stored, and never rejects. */
  readonly execute: (task: ClaimedTask) => Promise<void>;
  /** Ids of interactive tasks that anybody may claim now, at most so many. */
  readonly urgent: (limit: number) => Promise<Id[]>;
  /** Where operators find what could not be read. */
  readonly letters: Pick<DeadLetterRepository, 'addMessage'>;
  readonly logger: Logger;
}

/**
 * Takes messages, claims their tasks and hands them over. A message is acknowledged once its task is claimed in the
 * database or need not be: from then on the lease keeps the work alive, not the broker.
 */
export class TaskIntake {
  private readonly slots: Slots;
  private readonly waiting = new Map<Id, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly parts: TaskIntakeParts,
    /** How many tasks it works on at once. */
    width: number,
  ) {
    this.slots = new Slots(width, () => {
      if (!this.stopped) parts.consumer.resume();
    });
  }

  async start(): Promise<void> {
    await this.parts.consumer.start((message) => this.take(message));
  }

  /** No new work from now on; what was claimed goes on. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
    await this.parts.consumer.stop();
  }

  /** Resolves when all claimed work has ended. */
  async drained(): Promise<void> {
    await Promise.all(this.running);
  }

  /** What becomes of one message. Public for tests that drive it by hand. */
  take(message: IncomingMessage): Promise<Verdict> {
    return withTrace(continueTrace(message.headers), () => this.judge(message));
  }

  private async judge(message: IncomingMessage): Promise<Verdict> {
    if (message.givenUp !== undefined) return this.putAside(message, message.givenUp);
    const decoded = decodeTaskMessage(message);
    if (!decoded.ok) return this.putAside(message, decoded.reason);
    if (this.stopped) return { type: 'later', reason: 'the worker is stopping' };
    if (isBulk(message) && !(await this.takeUrgent())) return databaseSilent;
    if (this.slots.full) {
      this.parts.consumer.pause();
      return { type: 'later', reason: 'no slot is free' };
    }
    return this.answer(decoded.message.taskId, 0);
  }

  /** How many more tasks may be worked on now. */
  get room(): number {
    return this.stopped ? 0 : this.slots.free;
  }

  /** Claims a task that no message led to. True if it is worked on now; another worker may have been quicker. */
  async takeFound(taskId: Id): Promise<boolean> {
    if (this.room === 0) return false;
    return (await this.claim(taskId, false)).type === 'claimed';
  }

  /**
   * Gives free slots to what people wait for before one goes to work in bulk, also where its message is still on the way or
   * lies with a worker that is busy. False if the database did not answer.
   */
  private async takeUrgent(): Promise<boolean> {
    try {
      for (const taskId of await this.parts.urgent(this.room)) await this.takeFound(taskId);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) this.parts.logger.error('urgent tasks could not be looked for', { error });
      return false;
    }
  }

  /** The letter first: delivered again, the message makes no second one. */
  private async putAside(message: IncomingMessage, reason: string): Promise<Verdict> {
    this.parts.logger.warn('message put aside', { reason, topic: message.topic, ...traceFields() });
    try {
      await this.parts.letters.addMessage(deadMessage(message, reason));
    } catch (error) {
      if (!(error instanceof AppError)) this.parts.logger.error('a dead letter could not be kept', { error });
      return databaseSilent;
    }
    return { type: 'dead', reason };
  }

  private async answer(taskId: Id, look: number): Promise<Verdict> {
    let outcome: ClaimOutcome;
    try {
      outcome = await this.claim(taskId, look === 0);
    } catch (error) {
      if (!(error instanceof AppError)) this.parts.logger.error('task could not be claimed', { taskId, error });
      return databaseSilent;
    }
    if (outcome.type === 'refused') this.refuse(taskId, outcome.reason, look);
    return { type: 'done' };
  }

  /** The slot is taken before the database is asked, so that no two claims share it. */
  private async claim(taskId: Id, heedLock: boolean): Promise<ClaimOutcome> {
    this.slots.take();
    let claimed = false;
    try {
      const outcome = await this.parts.claims.claim(taskId, heedLock);
      claimed = outcome.type === 'claimed';
      if (outcome.type === 'claimed') this.work(outcome.task);
      return outcome;
    } finally {
      if (!claimed) this.slots.release();
    }
  }

  private work(task: ClaimedTask): void {
    if (this.slots.full) this.parts.consumer.pause();
    const work = this.parts.execute(task).finally(() => {
      this.running.delete(work);
      this.parts.claims.letGo(task.id);
      this.slots.release();
    });
    this.running.add(work);
  }

  private refuse(taskId: Id, reason: ClaimRefusal, look: number): void {
    const delay = secondLooksMs[look];
    if (mayBeEarly.has(reason) && delay !== undefined && this.waiting.size < longestWait) {
      this.lookAgain(taskId, look, delay);
    } else {
      this.parts.logger.info('message led to no work', { taskId, reason, ...traceFields() });
    }
  }

  /** The broker can be faster than the commit. The message is done with: if this process dies, upkeep sends another. */
  private lookAgain(taskId: Id, look: number, delay: number): void {
    if (this.waiting.has(taskId) && look === 0) return;
    const timer = setTimeout(() => {
      this.waiting.delete(taskId);
      if (this.slots.full) this.lookAgain(taskId, look, delay);
      else void this.answer(taskId, look + 1);
    }, delay);
    timer.unref();
    this.waiting.set(taskId, timer);
  }
}

function isBulk({ topic }: IncomingMessage): boolean {
  return isTopic(topic) && priorityOf(topic) === TaskPriority.Bulk;
}
