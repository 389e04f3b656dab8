import { Readable } from 'node:stream';
import type { FeedLine } from '../database/repositories/task-feed-repository.js';
import type { Language } from '../domain/coded-value.js';
import type { EventOutlet } from '../progress/event-feed.js';
import type { TaskView } from '../progress/task-view.js';
import { taskEventView, taskProgressView } from './views/task-event-view.js';

export interface EventStreamTimes {
  /** Pause between two comments, in ms: below what proxies take for silence. */
  readonly keepAliveMs: number;
  /** How long a reader may leave what it was sent lying, in ms, before its connection is dropped. */
  readonly slowMs: number;
  /** What a client that lost its connection should wait before it comes again, in ms. */
  readonly retryMs: number;
}

export const eventStreamTimes: EventStreamTimes = { keepAliveMs: 15_000, slowMs: 30_000, retryMs: 2_000 };

interface ServerSentEvent {
  readonly id?: string;
  /** Absent for lines of the log: clients get those as `message`. */
  readonly event?: 'progress' | 'reset';
  readonly data: object;
}

/**
 * Server-sent events for one client. It holds what it was last given and no more: while the client is slow it is not
 * ready, and a client that stays slow loses its connection, to come again where it left off.
 */
export class EventStream extends Readable implements EventOutlet {
  private blocked = false;
  private over = false;
  private lastProgress = '';
  private more: () => void = () => undefined;
  private gone: () => void = () => undefined;
  private slowTimer: NodeJS.Timeout | undefined;
  private readonly keepAlive: NodeJS.Timeout;

  /** @param stopping ends the stream when the client goes away or the server stops. */
  constructor(
    private readonly language: Language,
    stopping: AbortSignal,
    private readonly times: EventStreamTimes = eventStreamTimes,
  ) {
    super();
    this.write(`retry: ${times.retryMs}\n\n`);
    this.keepAlive = setInterval(() => {
      if (this.ready) this.write(': still here\n\n');
    }, times.keepAliveMs);
    if (stopping.aborted) this.end();
    else stopping.addEventListener('abort', () => this.end(), { once: true });
  }

  get ready(): boolean {
    return !this.blocked && !this.over && !this.destroyed;
  }

  connect(more: () => void, gone: () => void): void {
    this.more = more;
    this.gone = gone;
    if (this.destroyed) gone();
  }

  /** Tells the client to forget what it knows. */
  reset(): void {
    this.send({ event: 'reset', data: { reason: 'UNKNOWN_EVENT_ID' } });
  }

  line(line: FeedLine, eventId: string): void {
    this.send({ id: eventId, data: taskEventView(line, this.language) });
  }

  progress(task: TaskView): void {
    const data = taskProgressView(task, this.language);
    const text = JSON.stringify(data);
    if (text === this.lastProgress) return;
    this.lastProgress = text;
    this.send({ event: 'progress', data });
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    // Nobody can be waited for who does not read.
    if (this.blocked) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    if (!this.blocked) return;
    this.blocked = false;
    clearTimeout(this.slowTimer);
    this.more();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.over = true;
    clearInterval(this.keepAlive);
    clearTimeout(this.slowTimer);
    this.gone();
    callback(error);
  }

  private send({ id, event, data }: ServerSentEvent): void {
    const fields = [
      ...(event === undefined ? [] : [`event: ${event}`]),
      ...(id === undefined ? [] : [`id: ${id}`]),
      `data: ${JSON.stringify(data)}`,
    ];
    this.write(`${fields.join('\n')}\n\n`);
  }

  private write(text: string): void {
    if (this.over || this.push(text) || this.blocked) return;
    this.blocked = true;
    this.slowTimer = setTimeout(() => this.destroy(), this.times.slowMs);
  }
}
