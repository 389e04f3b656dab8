import { setTimeout as pause } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import type { PartHealth } from '../../messaging/message-publisher.js';
import { describeKafkaError, isOutage } from './kafka-errors.js';
import { KafkaSession, type SessionOptions } from './kafka-session.js';

/** A message as kafkajs gives it, and where it lies. */
export interface KafkaRecord {
  /** Full name. */
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
}

/** `settled`: committed. `postponed`: to be delivered again after a pause. `left`: not delivered at all. */
export type Delivery = 'settled' | 'postponed' | 'left';

/**
 * Has one message handled. `gone` aborts when the partition may belong to another member, `commit` counts the message as
 * read. Rejects only as `commit` does.
 */
export type Deliver = (record: KafkaRecord, gone: AbortSignal, commit: () => Promise<void>) => Promise<Delivery>;

const firstRebuildPauseMs = 250;
const longestRebuildPauseMs = 5_000;
/** A session that lived this long, in ms, is not held against the next one. */
const steadyMs = 60_000;
/** Sessions that may end in a row through something other than the broker. */
const mostStrikes = 5;
const firstRedeliveryMs = 100;
const longestRedeliveryMs = 2_000;

/**
 * Reads some topics of a group, one message at a time and in order per partition, and puts a new session in the place
 * of one that ended by itself.
 */
export class KafkaLane {
  private session: KafkaSession | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private trouble: string | undefined = 'joining the group';
  private gaveUp = false;
  /** How often in a row the message at the head of a partition was put off. */
  private readonly postponed = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly options: SessionOptions,
    private readonly deliver: Deliver,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running = this.supervise();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.session?.close();
    await this.running;
    for (const timer of this.timers) clearTimeout(timer);
  }

  health(): PartHealth {
    const { session } = this;
    const up = session?.joined === true && session.silentMs < this.options.timings.silenceMs && !this.gaveUp;
    return {
      up,
      ...(session ? { lastProgressAgeMs: session.silentMs } : {}),
      ...(up ? {} : { detail: this.trouble ?? 'joining the group' }),
      ...(this.gaveUp ? { gaveUp: true } : {}),
    };
  }

  private async supervise(): Promise<void> {
    for (let strikes = 0, failures = 0; !this.stopping.signal.aborted;) {
      const session = new KafkaSession(this.options, (payload) => this.read(payload), this.logger);
      this.session = session;
      const startedAt = performance.now();
      const cause = await session.run();
      await session.close();
      if (this.stopping.signal.aborted) return;
      if (performance.now() - startedAt > steadyMs) strikes = 0;
      failures = session.joined ? 1 : failures + 1;
      this.report(cause, failures);
      if (!isOutage(cause) && (strikes += 1) >= mostStrikes) return this.giveUp(cause);
      await this.pauseBeforeRebuild(failures);
    }
  }

  private report(cause: Error, failures: number): void {
    this.trouble = describeKafkaError(cause);
    const fields = { topics: this.options.topics, error: cause };
    if (failures === 1) this.logger.warn('kafka consumer ended; a new one takes its place', fields);
    else this.logger.debug('kafka consumer could not start', fields);
  }

  private giveUp(cause: Error): void {
    this.gaveUp = true;
    this.logger.error('kafka consumer ended too often; nothing is read any more', { error: cause });
  }

  private async pauseBeforeRebuild(failures: number): Promise<void> {
    const ms = Math.min(longestRebuildPauseMs, firstRebuildPauseMs * 2 ** (failures - 1));
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** Never throws anything but kafkajs' own errors: anything else would end the session. */
  private async read(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const key = `${batch.topic}/${batch.partition}`;
    for (const message of batch.messages) {
      if (!payload.isRunning() || payload.isStale() || this.stopping.signal.aborted) return;
      const delivery = await this.keepAlive(
        () => payload.heartbeat(),
        (gone) =>
          this.deliver({ topic: batch.topic, partition: batch.partition, message }, gone, () =>
            this.commit(payload, message.offset),
          ),
      );
      if (delivery === 'postponed') this.postpone(key, payload.pause());
      if (delivery !== 'settled') return;
      this.postponed.delete(key);
      await payload.heartbeat();
    }
  }

  /** kafkajs sends no heartbeat while a handler runs. One that fails means that the partition may be lost. */
  private async keepAlive<T>(heartbeat: () => Promise<void>, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
    const gone = new AbortController();
    const timer = setInterval(() => {
      heartbeat().catch((error: unknown) => gone.abort(error));
    }, this.options.timings.heartbeatMs / 2);
    try {
      const result = await work(gone.signal);
      gone.signal.throwIfAborted();
      return result;
    } finally {
      clearInterval(timer);
    }
  }

  private async commit(payload: EachBatchPayload, offset: string): Promise<void> {
    const { topic, partition } = payload.batch;
    const next = String(BigInt(offset) + 1n);
    await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
    payload.resolveOffset(offset);
  }

  /** An offset that was not resolved is fetched again as soon as its partition is resumed. */
  private postpone(key: string, resume: () => void): void {
    const times = this.postponed.get(key) ?? 0;
    this.postponed.set(key, times + 1);
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        resume();
      },
      Math.min(longestRedeliveryMs, firstRedeliveryMs * 2 ** Math.min(times, 10)),
    );
    this.timers.add(timer);
  }
}
