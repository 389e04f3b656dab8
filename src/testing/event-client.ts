/** One event as a client gets it. */
export interface ReceivedEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: Record<string, unknown>;
}

/** A client of server-sent events that reads as far as a test needs. */
export class EventClient {
  private rest = '';
  private readonly decoder = new TextDecoder();

  private constructor(
    readonly answer: Response,
    private readonly control: AbortController,
    private readonly parts: ReadableStreamDefaultReader<Uint8Array>,
  ) {}

  static async open(url: string, lastEventId?: string): Promise<EventClient> {
    const control = new AbortController();
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const answer = await fetch(url, { headers, signal: control.signal });
    if (!answer.body) throw new Error(`${url} answered ${answer.status} without a body`);
    return new EventClient(answer, control, answer.body.getReader());
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = this.rest.indexOf('\n\n');
      if (end >= 0) {
        const block = this.rest.slice(0, end);
        this.rest = this.rest.slice(end + 2);
        const event = eventIn(block);
        if (event) return event;
      } else if (!(await this.read())) return undefined;
    }
  }

  /** All events to the end of the stream. */
  async all(): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  close(): void {
    this.control.abort();
  }

  private async read(): Promise<boolean> {
    const { done, value } = await this.parts.read();
    if (value) this.rest += this.decoder.decode(value, { stream: true });
    return !done;
  }
}

function eventIn(block: string): ReceivedEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const [id, event] = [fields.get('id'), fields.get('event')];
  return {
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    data: JSON.parse(data) as Record<string, unknown>,
  };
}
