import type { IncomingMessage, MessageHandler, Verdict } from '../../messaging/message-consumer.js';

export const done: Verdict = { type: 'done' };

/** A message handler that keeps what it gets and can be waited for. */
export class Inbox {
  readonly messages: IncomingMessage[] = [];
  /** Most messages that were in hand at once. */
  mostInHand = 0;
  private inHand = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly decide: (message: IncomingMessage, times: number) => Verdict | Promise<Verdict>) {}

  readonly handler: MessageHandler = async (message) => {
    this.messages.push(message);
    this.inHand += 1;
    this.mostInHand = Math.max(this.mostInHand, this.inHand);
    for (const look of this.waiting) look();
    try {
      return await this.decide(message, this.timesOf(message));
    } finally {
      this.inHand -= 1;
    }
  };

  get keys(): string[] {
    return this.messages.map(({ key }) => key ?? '');
  }

  /** Task ids of one key, in the order they came; unreadable values as they are. */
  tasksOf(key: string): string[] {
    return this.messages.filter((message) => message.key === key).map(taskOf);
  }

  /** Resolves once `isSo` holds after a message. */
  async until(isSo: (inbox: this) => boolean): Promise<void> {
    if (isSo(this)) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo(this)) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
    });
  }

  private timesOf(message: IncomingMessage): number {
    return this.messages.filter((each) => taskOf(each) === taskOf(message)).length;
  }
}

/** Takes everything, and knows for each key which tasks came, in the order in which each came first. */
export class TaskCount {
  /** Resolves when as many different tasks came as were wanted. */
  readonly all: Promise<void>;
  private readonly tasks = new Map<string, Set<string>>();
  private arrived: () => void = () => undefined;
  private count = 0;

  constructor(private readonly wanted: number) {
    this.all = new Promise((resolve) => (this.arrived = resolve));
  }

  readonly handler: MessageHandler = ({ key, headers }) => {
    const tasks = this.tasks.get(key ?? '') ?? new Set();
    this.tasks.set(key ?? '', tasks);
    const before = tasks.size;
    this.count += tasks.add(headers['x-task-id'] ?? '').size - before;
    if (this.count === this.wanted) this.arrived();
    return Promise.resolve(done);
  };

  of(key: string): string[] {
    return [...(this.tasks.get(key) ?? [])];
  }
}

/** Takes everything. */
export function acceptingInbox(): Inbox {
  return new Inbox(() => done);
}

function taskOf({ value }: IncomingMessage): string {
  const text = value?.toString('utf8') ?? '';
  return /"taskId":"(\d+)"/.exec(text)?.[1] ?? text;
}
