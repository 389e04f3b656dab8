import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import type { Session } from '../../messaging/broker/session-keeper.js';
import { settlesWithin } from '../../messaging/deadline.js';
import { KafkaClient } from './kafka-client.js';
import type { ConsumerTimings, KafkaAccess } from './kafka-options.js';

export interface SessionOptions {
  readonly access: KafkaAccess;
  readonly group: string;
  /** Its full name. */
  readonly topic: string;
  readonly timings: ConsumerTimings;
}

/** How long the broker may hold an empty fetch, in ms: what bounds the end of a pause and of stopping. */
const fetchWaitMs = 250;
/** Bytes fetched ahead of what is handled; a longer message still comes, alone. */
const fetchBytesPerPartition = 64 * 1_024;

/** One membership in a consumer group. It ends when kafkajs crashes, when it falls silent, or when it is closed. */
export class KafkaSession implements Session {
  private readonly client: KafkaClient;
  private readonly consumer: Consumer;
  private readonly ending: Promise<Error>;
  private end: (cause: Error) => void = () => undefined;
  private started: Promise<void> = Promise.resolve();
  private watchdog: NodeJS.Timeout | undefined;
  private lastSignAt = performance.now();
  private hasJoined = false;

  constructor(
    private readonly options: SessionOptions,
    private readonly eachBatch: (payload: EachBatchPayload) => Promise<void>,
    logger: Logger,
  ) {
    const { access, group, timings } = options;
    this.client = new KafkaClient({ ...access, requestMs: timings.requestMs, retries: 2 }, logger);
    this.consumer = this.client.kafka.consumer({
      groupId: group,
      sessionTimeout: timings.sessionMs,
      heartbeatInterval: timings.heartbeatMs,
      rebalanceTimeout: timings.rebalanceMs,
      maxWaitTimeInMs: fetchWaitMs,
      maxBytesPerPartition: fetchBytesPerPartition,
      allowAutoTopicCreation: false,
      // kafkajs would restart itself for ever; whoever runs sessions counts.
      retry: { retries: 2, restartOnFailure: () => Promise.resolve(false) },
    });
    this.ending = new Promise((resolve) => (this.end = resolve));
  }

  get joined(): boolean {
    return this.hasJoined;
  }

  /** ms since the broker last answered, or a handler last moved on. */
  get silentMs(): number {
    return performance.now() - this.lastSignAt;
  }

  /** Runs until the membership ends by itself; resolves with why. */
  async run(): Promise<Error> {
    this.listen();
    this.started = this.begin();
    this.started.catch((error: unknown) => this.end(asError(error)));
    return this.ending;
  }

  /** Shows that work goes on though nothing is fetched. */
  signOfLife = (): void => {
    this.lastSignAt = performance.now();
  };

  /** Leaves the group so that others need not wait for its session to run out; bounded. */
  async close(): Promise<void> {
    clearInterval(this.watchdog);
    const { stopMs } = this.options.timings;
    // kafkajs forgets a stop that comes while it joins, and reads on afterwards.
    await settlesWithin(stopMs, this.started);
    await settlesWithin(stopMs, this.consumer.disconnect());
    this.client.cut();
    this.end(new Error('the session was closed'));
  }

  private async begin(): Promise<void> {
    await this.consumer.connect();
    await this.consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
    await this.consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: this.eachBatch });
  }

  private listen(): void {
    const { events } = this.consumer;
    this.consumer.on(events.GROUP_JOIN, () => {
      this.hasJoined = true;
      this.signOfLife();
    });
    this.consumer.on(events.FETCH, this.signOfLife);
    this.consumer.on(events.HEARTBEAT, this.signOfLife);
    this.consumer.on(events.CRASH, ({ payload }) => this.end(payload.error));
    const { silenceMs } = this.options.timings;
    this.watchdog = setInterval(() => {
      if (this.silentMs > silenceMs) this.end(new SilentConsumer(silenceMs));
    }, silenceMs / 10);
  }
}

/** kafkajs neither reads nor says why. */
export class SilentConsumer extends Error {
  override readonly name = 'SilentConsumer';

  constructor(ms: number) {
    super(`nothing was read and no heartbeat answered for ${ms} ms`);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
