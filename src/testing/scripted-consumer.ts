import type {
  IncomingMessage,
  MessageConsumer,
  MessageConsumers,
  MessageHandler,
  Verdict,
} from '../messaging/message-consumer.js';
import type { PartHealth } from '../messaging/message-publisher.js';
import type { Topic } from '../messaging/topic.js';

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

/** A broker that says of its lag what a test says. */
export class ScriptedConsumers implements MessageConsumers {
  lags: ReadonlyMap<Topic, number> = new Map();
  /** What reading the lag rejects with. */
  trouble: Error | undefined;

  create(): ScriptedConsumer {
    return new ScriptedConsumer();
  }

  lag(): Promise<ReadonlyMap<Topic, number>> {
    return this.trouble ? Promise.reject(this.trouble) : Promise.resolve(this.lags);
  }
}
