import type { MessageConsumers } from '../../messaging/message-consumer.js';
import type { MessageHeaders, MessagePublisher } from '../../messaging/message-publisher.js';
import type { ConsumerGroup, DeadLetters, Topic } from '../../messaging/topic.js';

export interface StoredMessage {
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly headers: MessageHeaders;
}

/** A consumer in a process of its own, there to be killed. */
export interface ConsumerProcess {
  /** Keys of what it was given. */
  readonly received: readonly string[];
  /** Resolves once it was given `count` messages in all. */
  receives(count: number): Promise<void>;
  /** SIGKILL: no message is settled, no group is left. */
  kill(): Promise<void>;
}

/** `hang`: never gives a verdict. `accept`: takes everything. */
export type ProcessBehaviour = 'hang' | 'accept';

/** An adapter on its real broker, in an environment of its own, with the means to look behind it. */
export interface MessagingBroker {
  /** Started. */
  readonly publisher: MessagePublisher;
  readonly consumers: MessageConsumers;
  /** Messages of a topic that the broker holds, read or not where it keeps read ones. */
  stored(topic: Topic): Promise<number>;
  /** Sends as a foreign program would. */
  sendForeign(topic: Topic, message: StoredMessage): Promise<void>;
  /** Of one kind of work, or all of them. */
  deadLetters(kind?: DeadLetters): Promise<StoredMessage[]>;
  /** Takes the place of dead letters of builds away; the returned function brings it back. */
  breakDeadLetters(): Promise<() => Promise<void>>;
  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess>;
  close(): Promise<void>;
}
