import { setTimeout as pause } from 'node:timers/promises';
import type { Deliver } from '../../../messaging/broker/laned-consumer.js';
import { redeliveryPauseMs } from '../../../messaging/broker/redelivery.js';
import type { StreamRecord } from './stream-record.js';
import type { StreamScripts } from './stream-scripts.js';

/** Entries fetched at once, and how few are left when more are fetched. */
const fetchedAtOnce = 32;
const fewLeft = 8;

export interface ReaderTerms {
  readonly stream: string;
  /** The last entry that anybody was given before. */
  readonly lastGiven: string;
  readonly scripts: StreamScripts;
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
  /** Where the next fetch begins: first behind what was given but not acknowledged, then with what is new. */
  private after = '0-0';
  private lastGiven: string;
  private readonly fetched: StreamRecord[] = [];
  private readonly gone = new AbortController();
  private expiry: NodeJS.Timeout | undefined;
  private expiresAt = 0;
  private handing: Promise<void> | undefined;

  constructor(private readonly terms: ReaderTerms) {
    this.lastGiven = terms.lastGiven;
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
    const isReplay = this.after !== '>';
    const entries = await scripts.read(stream, this.after, fetchedAtOnce);
    if (!entries) return this.lose();
    const lastId = entries.at(-1)?.id;
    if (isReplay) this.after = lastId ?? '>';
    else this.lastGiven = lastId ?? this.lastGiven;
    this.hasMore = isReplay || entries.length === fetchedAtOnce;
    await this.accept(entries);
  }

  /** Takes no more messages; what was only fetched is for the next reader. */
  lose(): void {
    clearTimeout(this.expiry);
    this.gone.abort();
  }

  /** Resolves when the message in hand, if there is one, has its verdict. */
  async idle(): Promise<void> {
    await this.handing;
  }

  private get hasRoom(): boolean {
    return this.fetched.length < fewLeft;
  }

  private async accept(entries: NonNullable<Awaited<ReturnType<StreamScripts['read']>>>): Promise<void> {
    const deleted: string[] = [];
    for (const { stream, id, fields } of entries) {
      if (fields) this.fetched.push({ stream, id, fields });
      else deleted.push(id);
    }
    if (deleted.length > 0) await this.terms.scripts.acknowledge(this.stream, deleted);
    this.handing ??= this.handIn().finally(() => (this.handing = undefined));
  }

  private async handIn(): Promise<void> {
    try {
      for (let record = this.next(); record; record = this.next()) {
        if (!(await this.settle(record))) return;
        this.fetched.shift();
        if (this.fetched.length === fewLeft - 1) this.terms.onFewLeft();
      }
    } catch (error) {
      this.lose();
      this.terms.onError(error as Error);
    }
  }

  /** A process that was paused may notice only here that its time is over. */
  private next(): StreamRecord | undefined {
    if (performance.now() >= this.expiresAt) this.lose();
    return this.isGone ? undefined : this.fetched[0];
  }

  /** False if the stream was lost before. */
  private async settle(record: StreamRecord): Promise<boolean> {
    const { deliver, scripts } = this.terms;
    const { signal } = this.gone;
    const commit = (): Promise<void> => scripts.acknowledge(record.stream, [record.id]);
    for (let times = 0; !signal.aborted; times += 1) {
      const delivery = await deliver(record, signal, commit);
      if (delivery !== 'postponed') return delivery === 'settled';
      await pause(redeliveryPauseMs(times), undefined, { signal }).catch(() => undefined);
    }
    return false;
  }
}
