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

/** Takes everything. */
export function acceptingInbox(): Inbox {
  return new Inbox(() => done);
}

function taskOf({ value }: IncomingMessage): string {
  const text = value?.toString('utf8') ?? '';
  return /"taskId":"(\d+)"/.exec(text)?.[1] ?? text;
}
