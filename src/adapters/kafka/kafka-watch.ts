import type { Admin } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { settlesWithin, withDeadline } from '../../messaging/deadline.js';
import { KafkaClient } from './kafka-client.js';
import { describeKafkaError } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';
import { describeMissing, missingTopics } from './kafka-topics.js';

/** Pause between two looks, in ms, while all is well and while it is not. */
const calmPauseMs = 5_000;
const alertPauseMs = 1_000;

export interface KafkaState {
  /** Undefined before the first look has ended. */
  readonly reachable: boolean | undefined;
  readonly missing: readonly string[];
  readonly detail?: string;
}

/** Looks every few seconds whether the broker answers and has the topics, over a connection of its own. */
export class KafkaWatch {
  private current: KafkaState = { reachable: undefined, missing: [] };
  private connection: { client: KafkaClient; admin: Admin } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly options: KafkaOptions,
    private readonly names: readonly string[],
    private readonly logger: Logger,
  ) {}

  get state(): KafkaState {
    return this.current;
  }

  /** Resolves after the first look, whatever it saw. */
  async start(): Promise<void> {
    await this.look();
  }

  /** Looks now rather than when the pause is over. */
  lookNow(): void {
    if (this.stopped || !this.timer) return;
    clearTimeout(this.timer);
    void this.look();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.disconnect();
    await this.looking;
  }

  private look(): Promise<void> {
    this.timer = undefined;
    this.looking = this.observe()
      .then((state) => this.accept(state))
      .finally(() => this.plan());
    return this.looking;
  }

  private async observe(): Promise<KafkaState> {
    try {
      const missing = await withDeadline(this.options.sendDeadlineMs, () => this.ask());
      return missing.length > 0
        ? { reachable: true, missing, detail: describeMissing(missing) }
        : { reachable: true, missing };
    } catch (error) {
      await this.disconnect();
      return { reachable: false, missing: [], detail: `Kafka does not answer: ${describeKafkaError(error)}` };
    }
  }

  private async ask(): Promise<string[]> {
    const { sendDeadlineMs: requestMs, brokers } = this.options;
    if (!this.connection) {
      const client = new KafkaClient({ brokers, requestMs, retries: 0 }, this.logger);
      const admin = client.kafka.admin({ retry: { retries: 0 } });
      this.connection = { client, admin };
      await admin.connect();
    }
    return missingTopics(this.connection.admin, this.names);
  }

  private accept(state: KafkaState): void {
    const before = this.current;
    this.current = state;
    if (this.stopped || before.detail === state.detail) return;
    if (state.detail === undefined) this.logger.info('kafka is back');
    else this.logger.warn('kafka is not usable', { detail: state.detail });
  }

  private plan(): void {
    if (this.stopped) return;
    const pauseMs = this.current.detail === undefined ? calmPauseMs : alertPauseMs;
    this.timer = setTimeout(() => void this.look(), pauseMs);
  }

  private async disconnect(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    if (!connection) return;
    connection.client.cut();
    await settlesWithin(1_000, connection.admin.disconnect());
  }
}
