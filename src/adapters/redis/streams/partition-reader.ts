import { setTimeout as pause } from 'node:timers/promises';
import { Acknowledgements } from '../../../messaging/broker/acknowledgements.js';
import type { Deliver } from '../../../messaging/broker/laned-consumer.js';
import { redeliveryPauseMs } from '../../../messaging/broker/redelivery.js';
import type { StreamRecord } from './stream-record.js';
import type { ReadEntry, StreamScripts } from './stream-scripts.js';

/** Entries fetched at once, and how few are left when more are fetched. */
const fetchedAtOnce = 32;
const fewLeft = 8;

export interface ReaderTerms {
  readonly stream: string;
  /** The last entry that anybody was given before. */
  readonly lastGiven: string;
  readonly scripts: Pick<StreamScripts, 'read' | 'replay' | 'noteInHand' | 'acknowledge'>;
  readonly deliver: Deliver<StreamRecord>;
  /** Told when it needs more. */
  readonly onFewLeft: () => void;
  /** Told when a message could not be acknowledged. */
  readonly onError: (error: Error) => void;
}

/** Hands in the messages of one stream in order, one at a time, for as long as the stream is this reader's. */
export class PartitionReader {
  /** True until everything that lies in the stream was fetched. */
  private hasMore = true;
  /** What earlier readers left comes before what is new. */
  private isReplay = true;
  private replayed: string | undefined;
  private lastGiven: string;
  private readonly fetched: StreamRecord[] = [];
  private readonly gone = new AbortController();
  private expiry: NodeJS.Timeout | undefined;
  private expiresAt = 0;
  private isHandingIn = false;
  private handing: Promise<void> = Promise.resolve();
  private readonly acknowledgements: Acknowledgements<string>;

  constructor(private readonly terms: ReaderTerms) {
    const { stream, scripts, lastGiven } = terms;
    this.lastGiven = lastGiven;
    this.acknowledgements = new Acknowledgements((ids) => scripts.acknowledge(stream, ids));
  }

  get stream(): string {
    return this.terms.stream;
  }

  /** True once nothing more is handed in. */
  get isGone(): boolean {
    return this.gone.signal.aborted;
  }

  get wantsFetch(): boolean {
    return this.hasMore && this.hasRoom;
  }

  /** The entry after which news would be of use; undefined while there is enough to do. */
  get waitsBehind(): string | undefined {
    return !this.hasMore && this.hasRoom && !this.isGone ? this.lastGiven : undefined;
  }

  /** The stream is this reader's until then, by the monotonic clock in ms, unless it is told anew. */
  keepUntil(expiresAt: number): void {
    clearTimeout(this.expiry);
    this.expiresAt = expiresAt;
    if (!this.isGone) this.expiry = setTimeout(() => this.lose(), expiresAt - performance.now());
  }

  /** Something lies behind `waitsBehind`, at this place. */
  noteNews(id: string): void {
    this.hasMore = true;
    this.lastGiven = id;
  }

  async fetch(): Promise<void> {
    const { stream, scripts } = this.terms;
    const entries = this.isReplay
      ? await scripts.replay(stream, this.replayed, fetchedAtOnce)
      : await scripts.read(stream, fetchedAtOnce);
    if (!entries) return this.lose();
    const isFull = entries.length === fetchedAtOnce;
    const lastId = entries.at(-1)?.id;
    this.hasMore = isFull || this.isReplay;
    if (this.isReplay) {
      this.replayed = lastId;
      this.isReplay = isFull;
    } else this.lastGiven = lastId ?? this.lastGiven;
    await this.accept(entries);
  }

  /** Takes no more messages; what was only fetched is for the next reader. */
  lose(): void {
    clearTimeout(this.expiry);
    this.gone.abort();
  }

  /** Resolves when the message in hand, if there is one, has its verdict, and Redis knows of all verdicts. */
  idle(): Promise<void> {
    return this.handing;
  }

  private get hasRoom(): boolean {
    return this.fetched.length < fewLeft;
  }

  private async accept(entries: readonly ReadEntry[]): Promise<void> {
    const { stream, scripts } = this.terms;
    const deleted: string[] = [];
    for (const { id, fields, timesInHand } of entries) {
      // What is read for the first time counts as once in hand by itself.
      const noteInHand = async (): Promise<void> => {
        if (timesInHand > 0) await scripts.noteInHand(stream, id, timesInHand + 1);
      };
      if (fields) this.fetched.push({ stream, id, fields, timesInHand, noteInHand });
      else deleted.push(id);
    }
    if (deleted.length > 0) await scripts.acknowledge(stream, deleted);
    if (this.isHandingIn) return;
    this.isHandingIn = true;
    this.handing = this.handIn();
  }

  private async handIn(): Promise<void> {
    try {
      await this.handInFetched().finally(() => (this.isHandingIn = false));
      await this.acknowledgements.flush();
    } catch (error) {
      this.lose();
      this.terms.onError(error as Error);
    }
  }

  private async handInFetched(): Promise<void> {
    for (let record = this.next(); record; record = this.next()) {
      if (!(await this.settle(record))) return;
      this.fetched.shift();
      if (this.fetched.length === fewLeft - 1) this.terms.onFewLeft();
    }
  }

  /** A process that was paused may notice only here that its time is over. */
  private next(): StreamRecord | undefined {
    if (performance.now() >= this.expiresAt) this.lose();
    return this.isGone ? undefined : this.fetched[0];
  }

  /** False if the stream was lost before. */
  private async settle(record: StreamRecord): Promise<boolean> {
    const { deliver } = this.terms;
    const { signal } = this.gone;
    const commit = (): Promise<void> => this.acknowledgements.done(record.id);
    for (let times = 0; !signal.aborted; times += 1) {
      const delivery = await deliver(record, signal, commit);
      if (delivery !== 'postponed') return delivery === 'settled';
      await pause(redeliveryPauseMs(times), undefined, { signal }).catch(() => undefined);
    }
    return false;
  }
}
