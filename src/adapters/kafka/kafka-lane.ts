import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { Acknowledgements } from '../../messaging/broker/acknowledgements.js';
import type { Deliver, Lane } from '../../messaging/broker/laned-consumer.js';
import { redeliveryPauseMs } from '../../messaging/broker/redelivery.js';
import { SessionKeeper } from '../../messaging/broker/session-keeper.js';
import type { PartHealth } from '../../messaging/message-publisher.js';
import { describeKafkaError, isOutage } from './kafka-errors.js';
import type { KafkaRecord } from './kafka-record.js';
import { KafkaSession, type SessionOptions } from './kafka-session.js';

/** Reads one topic of a group, one message at a time and in order per partition. */
export class KafkaLane implements Lane {
  private readonly keeper: SessionKeeper;
  /** How often in a row the message at the head of a partition was put off. */
  private readonly postponed = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly options: SessionOptions,
    private readonly deliver: Deliver<KafkaRecord>,
    logger: Logger,
  ) {
    const own = logger.child({ topic: options.topic });
    this.keeper = new SessionKeeper(
      () => new KafkaSession(options, (payload) => this.read(payload), own),
      { silenceMs: options.timings.silenceMs, isOutage, describeError: describeKafkaError },
      own,
    );
  }

  start(): void {
    this.keeper.start();
  }

  async stop(): Promise<void> {
    await this.keeper.stop();
    for (const timer of this.timers) clearTimeout(timer);
  }

  health(): PartHealth {
    return this.keeper.health();
  }

  /** Never throws anything but kafkajs' own errors: anything else would end the session. */
  private async read(payload: EachBatchPayload): Promise<void> {
    const commits = new Acknowledgements<string>((offsets) => commitBehind(payload, offsets));
    try {
      await this.keepAlive(payload, (gone) => this.handIn(payload, commits, gone));
    } finally {
      await commits.flush();
    }
  }

  /** kafkajs sends no heartbeat while a batch is handled. One that fails means that the partition may be lost. */
  private async keepAlive(payload: EachBatchPayload, work: (gone: AbortSignal) => Promise<void>): Promise<void> {
    const gone = new AbortController();
    const timer = setInterval(() => {
      payload.heartbeat().catch((error: unknown) => gone.abort(error));
    }, this.options.timings.heartbeatMs / 2);
    try {
      await work(gone.signal);
    } finally {
      clearInterval(timer);
    }
  }

  private async handIn(payload: EachBatchPayload, commits: Acknowledgements<string>, gone: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    const key = `${topic}/${partition}`;
    for (const message of messages) {
      if (!payload.isRunning() || payload.isStale() || this.keeper.isStopping) return;
      const delivery = await this.deliver({ topic, partition, message }, gone, async () => {
        await commits.done(message.offset);
        payload.resolveOffset(message.offset);
      });
      gone.throwIfAborted();
      if (delivery === 'postponed') this.postpone(key, payload.pause());
      if (delivery !== 'settled') return;
      this.postponed.delete(key);
    }
  }

  /** An offset that was not resolved is fetched again as soon as its partition is resumed. */
  private postpone(key: string, resume: () => void): void {
    const times = this.postponed.get(key) ?? 0;
    this.postponed.set(key, times + 1);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      resume();
    }, redeliveryPauseMs(times));
    this.timers.add(timer);
  }
}

/** Tells the broker that reading would go on behind the last of these offsets. */
async function commitBehind(payload: EachBatchPayload, offsets: readonly string[]): Promise<void> {
  const last = offsets.at(-1);
  if (last === undefined) return;
  const { topic, partition } = payload.batch;
  const offset = String(BigInt(last) + 1n);
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
}
