import { randomUUID } from 'node:crypto';
import type { Deliver } from '../../../messaging/broker/laned-consumer.js';
import type { Session } from '../../../messaging/broker/session-keeper.js';
import { settlesWithin } from '../../../messaging/deadline.js';
import { NewsWaiter } from './news-waiter.js';
import { PartitionReader } from './partition-reader.js';
import { StreamConnection } from './stream-connection.js';
import { isMissingGroup } from './stream-errors.js';
import type { ConsumerTimings, StreamOptions } from './stream-options.js';
import type { StreamRecord } from './stream-record.js';
import { StreamScripts } from './stream-scripts.js';

export interface SessionTerms {
  readonly options: StreamOptions;
  readonly timings: ConsumerTimings;
  readonly group: string;
  /** Shared by all members of the group, one reader each. */
  readonly streams: readonly string[];
}

/**
 * Reads its share of some streams. Who reads a stream is noted in Redis for a short time, and only its reader is given
 * entries; so keys keep their order. It ends as a whole when a connection does, when Redis falls silent, or when it is
 * closed.
 */
export class StreamsSession implements Session {
  joined = false;
  private readonly id = randomUUID();
  private readonly readers = new Map<string, PartitionReader>();
  private readonly closing = new AbortController();
  private readonly ending: Promise<Error>;
  private end: (cause: Error) => void = () => undefined;
  private commands: StreamConnection | undefined;
  private waiting: StreamConnection | undefined;
  private news: NewsWaiter | undefined;
  private scripts: StreamScripts | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private answeredAt = performance.now();

  constructor(
    private readonly terms: SessionTerms,
    private readonly deliver: Deliver<StreamRecord>,
  ) {
    this.ending = new Promise((resolve) => (this.end = resolve));
  }

  get silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  /** It may begin to close while something is awaited. */
  private get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  async run(): Promise<Error> {
    try {
      await this.begin();
    } catch (error) {
      this.end(error as Error);
    }
    return this.ending;
  }

  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.timer);
    this.news?.wake();
    for (const reader of this.readers.values()) reader.lose();
    await settlesWithin(this.terms.timings.stopMs, this.leave());
    this.joined = false;
    this.commands?.cut();
    this.waiting?.cut();
    this.end(new Error('the session was closed'));
  }

  private async begin(): Promise<void> {
    const { options, timings, group } = this.terms;
    const open = (): Promise<StreamConnection> =>
      StreamConnection.open(options.url, group, options.sendDeadlineMs, this.closing.signal);
    this.commands = await open();
    this.waiting = await open();
    for (const connection of [this.commands, this.waiting]) void connection.ended.then(this.end);
    this.closing.signal.throwIfAborted();
    this.answeredAt = performance.now();
    this.timer = setInterval(() => this.pulse(), timings.beatMs);
    this.news = await NewsWaiter.on(this.waiting, this.commands, timings.blockMs);
    this.scripts = new StreamScripts(this.commands, group, this.id);
    this.pulse();
    this.readOn(this.news).catch((error: unknown) => this.end(error as Error));
  }

  private pulse(): void {
    const { ownMs, blockMs } = this.terms.timings;
    const unheardMs = Math.max(this.silentMs, (this.news?.waitedMs ?? 0) - blockMs);
    if (unheardMs > ownMs) this.end(new Error(`Redis did not answer for ${Math.round(unheardMs)} ms`));
    if (this.beating || !this.scripts) return;
    this.beating = this.beat(this.scripts)
      .catch((error: unknown) => this.end(error as Error))
      .finally(() => (this.beating = undefined));
  }

  /** Shows that it is there, keeps what it has, gives others their share and takes its own. */
  private async beat(scripts: StreamScripts): Promise<void> {
    const members = await scripts.announce(this.terms.timings.ownMs);
    if (this.isClosing) return;
    const share = shareOf(this.terms.streams, members, this.id);
    await Promise.all([...this.readers.values()].map((reader) => this.keep(scripts, reader, share)));
    if (this.isClosing) return;
    const wanted = this.terms.streams.filter((stream) => share.has(stream) && !this.readers.has(stream));
    const taken = await Promise.all(wanted.map((stream) => this.take(scripts, stream)));
    this.answeredAt = performance.now();
    this.joined = !this.isClosing;
    if (taken.includes(true)) this.news?.wake();
  }

  /** A stream that goes to another member is released when its message in hand has its verdict. */
  private async keep(scripts: StreamScripts, reader: PartitionReader, share: ReadonlySet<string>): Promise<void> {
    const { ownMs } = this.terms.timings;
    const { stream } = reader;
    const askedAt = performance.now();
    if (!share.has(stream)) reader.lose();
    if (reader.isGone && (await settlesWithin(0, reader.idle()))) {
      await scripts.release(stream);
      this.readers.delete(stream);
    } else if (await scripts.keep(stream, ownMs)) reader.keepUntil(askedAt + ownMs);
    else reader.lose();
  }

  /** False if another member still has it. */
  private async take(scripts: StreamScripts, stream: string): Promise<boolean> {
    const { ownMs } = this.terms.timings;
    const askedAt = performance.now();
    const lastGiven = await scripts.take(stream, ownMs);
    if (lastGiven === undefined) return false;
    const reader = new PartitionReader({
      stream,
      lastGiven,
      scripts,
      deliver: this.deliver,
      onFewLeft: () => this.news?.wake(),
      onError: this.end,
    });
    reader.keepUntil(askedAt + ownMs);
    this.readers.set(stream, reader);
    return true;
  }

  private async readOn(news: NewsWaiter): Promise<void> {
    while (!this.isClosing) {
      const readers = [...this.readers.values()].filter(({ isGone }) => !isGone);
      const short = readers.filter(({ wantsFetch }) => wantsFetch);
      if (short.length > 0) await Promise.all(short.map((reader) => fetchOf(reader)));
      else await news.wait(readers);
    }
  }

  /** Others get its share when its messages in hand have their verdicts. */
  private async leave(): Promise<void> {
    await this.beating;
    const readers = [...this.readers.values()];
    await Promise.all(readers.map((reader) => reader.idle()));
    const { scripts } = this;
    if (!scripts) return;
    await Promise.all([scripts.leave(), ...readers.map(({ stream }) => scripts.release(stream))]);
  }
}

/** A stream or group that somebody removed is lost, and made anew when it is taken again. */
async function fetchOf(reader: PartitionReader): Promise<void> {
  try {
    await reader.fetch();
  } catch (error) {
    if (!isMissingGroup(error)) throw error;
    reader.lose();
  }
}

/** Every member comes to the same by itself. */
function shareOf(streams: readonly string[], members: readonly string[], id: string): ReadonlySet<string> {
  return new Set(streams.filter((_, at) => members[at % members.length] === id));
}
