import { AppError } from '../domain/errors.js';
import type {
  MessagePublisher,
  OutgoingMessage,
  PartHealth,
  ReturnedMessage,
  SendContext,
} from '../messaging/message-publisher.js';

/** A broker that does what a test says: for faults that no real one shows on demand. */
export class ScriptedPublisher implements MessagePublisher {
  readonly sent: OutgoingMessage[] = [];
  readonly returned: ReturnedMessage[] = [];
  /** Runs before each acknowledgement; whatever it throws is what the send rejects with. */
  onPublish: (context: SendContext) => Promise<void> = () => Promise.resolve();

  start(): Promise<void> {
    return Promise.resolve();
  }

  async publish(messages: readonly (OutgoingMessage | ReturnedMessage)[], context: SendContext): Promise<void> {
    await this.onPublish(context);
    for (const message of messages) {
      if ('bytes' in message) this.returned.push(message);
      else this.sent.push(message);
    }
  }

  health(): PartHealth {
    return { up: true };
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  /** From now on every send is refused. */
  refuse(): void {
    this.onPublish = () => Promise.reject(new AppError('BROKER_UNAVAILABLE', 'The broker refuses by script.'));
  }
}
