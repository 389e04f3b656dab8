import { Turnstile } from '../broker/turnstile.js';
import type { MessageConsumer, MessageHandler, Verdict } from '../message-consumer.js';
import type { PartHealth } from '../message-publisher.js';

/** How long a message waits for its turn, in ms: less than after what a consumer is taken for stuck. */
const turnMs = 10_000;
/** What was sent before the change-over goes first, so that work that comes anew cannot keep it waiting. */
const rank = { drained: 0, current: 1 } as const;

/** Reads the broker in use and those that are left as one: one message at a time, whichever it comes from. */
export class JoinedConsumer implements MessageConsumer {
  private readonly turnstile = new Turnstile();

  constructor(
    private readonly current: MessageConsumer,
    private readonly drained: readonly MessageConsumer[],
  ) {}

  async start(handler: MessageHandler): Promise<void> {
    await this.current.start(this.inTurn(rank.current, handler));
    await Promise.all(this.drained.map((each) => each.start(this.inTurn(rank.drained, handler))));
  }

  pause(): void {
    this.turnstile.close();
    for (const each of this.all) each.pause();
  }

  resume(): void {
    for (const each of this.all) each.resume();
    this.turnstile.open();
  }

  /** Of the broker in use: without the others, everything that is sent is read. */
  health(): PartHealth {
    return this.current.health();
  }

  async stop(): Promise<void> {
    this.turnstile.end();
    await Promise.all(this.all.map((each) => each.stop()));
  }

  private get all(): readonly MessageConsumer[] {
    return [...this.drained, this.current];
  }

  private inTurn(place: number, handler: MessageHandler): MessageHandler {
    return async (message): Promise<Verdict> => {
      const leave = await this.turnstile.enter(place, AbortSignal.timeout(turnMs));
      if (!leave) return { type: 'later', reason: 'no slot is free' };
      try {
        return await handler(message);
      } finally {
        leave();
      }
    };
  }
}
