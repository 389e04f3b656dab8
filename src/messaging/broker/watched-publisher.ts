import { AppError } from '../../domain/errors.js';
import { brokerUnavailable } from '../deadline.js';
import type {
  MessagePublisher,
  OutgoingMessage,
  PartHealth,
  ReturnedMessage,
  SendContext,
} from '../message-publisher.js';
import { refuseTooLarge } from '../refuse-too-large.js';
import type { BrokerWatch } from './broker-watch.js';

/** How long a failed send speaks against the broker when no later one has succeeded, in ms. */
const failureMemoryMs = 15_000;

/** Sends messages to one broker, as a {@link MessagePublisher} promises. */
export interface MessageSender {
  send(messages: readonly (OutgoingMessage | ReturnedMessage)[], deadlineMs: number): Promise<void>;
  /** Waits for sends in flight, bounded. */
  stop(): Promise<void>;
}

/** Publishes while the broker is there, refuses at once while it is known to be away, and says which it is. */
export class WatchedPublisher implements MessagePublisher {
  private lastSuccessAt: number | undefined;
  private lastFailure: { readonly at: number; readonly detail: string } | undefined;

  constructor(
    private readonly sender: MessageSender,
    private readonly watch: BrokerWatch,
  ) {}

  async start(): Promise<void> {
    try {
      await this.watch.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async publish(messages: readonly (OutgoingMessage | ReturnedMessage)[], { deadlineMs }: SendContext): Promise<void> {
    if (messages.length === 0) return;
    refuseTooLarge(messages);
    // Nobody need wait for a broker that is known to be away: the watch notices when it is back.
    if (this.watch.state.reachable === false) {
      throw brokerUnavailable('The message broker does not answer.', this.watch.state.detail);
    }
    try {
      await this.sender.send(messages, deadlineMs);
      this.lastSuccessAt = performance.now();
      this.lastFailure = undefined;
    } catch (error) {
      if (error instanceof AppError) this.noteFailure(error);
      throw error;
    }
  }

  health(): PartHealth {
    const { reachable, detail = this.recentFailure() } = this.watch.state;
    return {
      up: reachable === true && detail === undefined,
      ...(detail === undefined ? {} : { detail }),
      ...(this.lastSuccessAt === undefined ? {} : { lastProgressAgeMs: performance.now() - this.lastSuccessAt }),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.watch.stop(), this.sender.stop()]);
  }

  private noteFailure({ message: detail }: AppError): void {
    this.lastFailure = { at: performance.now(), detail };
    this.watch.lookNow();
  }

  /** Forgotten after a while: an instance that is taken out of rotation for it has no send to prove the contrary. */
  private recentFailure(): string | undefined {
    const { lastFailure } = this;
    return lastFailure && performance.now() - lastFailure.at < failureMemoryMs ? lastFailure.detail : undefined;
  }
}
