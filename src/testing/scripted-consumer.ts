import type { IncomingMessage, MessageConsumer, MessageHandler, Verdict } from '../messaging/message-consumer.js';
import type { PartHealth } from '../messaging/message-publisher.js';

/** A consumer whose messages a test delivers by hand, one by one. */
export class ScriptedConsumer implements MessageConsumer {
  paused = false;
  stopped = false;
  private handler: MessageHandler | undefined;

  start(handler: MessageHandler): Promise<void> {
    this.handler = handler;
    return Promise.resolve();
  }

  deliver(message: IncomingMessage): Promise<Verdict> {
    if (!this.handler) throw new Error('the consumer was not started');
    return this.handler(message);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  health(): PartHealth {
    return { up: !this.stopped };
  }

  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }
}
