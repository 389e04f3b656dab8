import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import type { MessageConsumer, MessageHandler } from '../message-consumer.js';
import type { PartHealth } from '../message-publisher.js';
import { lanesOf, type ConsumerGroup } from '../topic.js';
import type { Remainder } from './remainder.js';

/** Pause before a broker that could not be read, or had nothing to read, is looked at again, in ms. */
const retryMs = 5_000;
/** How often a consumer is asked whether it has given up, in ms. */
const watchMs = 1_000;

/**
 * Reads what a broker that is left has for one group. It never refuses to start and never gives up: a broker that is away,
 * or lacks topics, is no reason not to work without it.
 */
export class DrainedConsumer implements MessageConsumer {
  private reader: MessageConsumer | undefined;
  private idle: PartHealth = { up: false, detail: 'not started' };
  private paused = false;
  private inTrouble = false;
  private reading: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly look: () => Promise<Remainder>,
    private readonly group: ConsumerGroup,
    private readonly logger: Logger,
  ) {}

  start(handler: MessageHandler): Promise<void> {
    this.reading = this.readOn(handler);
    return Promise.resolve();
  }

  pause(): void {
    this.paused = true;
    this.reader?.pause();
  }

  resume(): void {
    this.paused = false;
    this.reader?.resume();
  }

  health(): PartHealth {
    return this.reader?.health() ?? this.idle;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.reading;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async readOn(handler: MessageHandler): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.readUntilItEnds(handler);
      } catch (error) {
        this.note(error);
      }
      await this.rest(retryMs);
    }
    this.idle = { up: false, detail: 'stopped' };
  }

  private async readUntilItEnds(handler: MessageHandler): Promise<void> {
    const { topics, consumers } = await this.look();
    if (!lanesOf(this.group).some((topic) => topics.includes(topic))) {
      this.idle = { up: true, detail: 'nothing of it is there' };
      return;
    }
    const reader = consumers.create(this.group);
    if (this.paused) reader.pause();
    this.reader = reader;
    try {
      await reader.start(handler);
      this.inTrouble = false;
      this.logger.info('reading what is left');
      while (!this.isStopping && !reader.health().gaveUp) await this.rest(watchMs);
      if (!this.isStopping) throw new Error(reader.health().detail ?? 'the consumer gave up');
    } finally {
      await reader.stop();
      this.reader = undefined;
    }
  }

  /** Told once; what ends a consumer again and again has been told by itself. */
  private note(error: unknown): void {
    if (!this.inTrouble) this.logger.warn('what is left cannot be read; it is tried again', { error });
    this.inTrouble = true;
    this.idle = { up: false, detail: error instanceof Error ? error.message : String(error) };
  }

  private async rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
