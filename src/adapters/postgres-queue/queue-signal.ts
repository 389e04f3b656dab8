import type { Database } from '../../database/database.js';
import type { Topic } from '../../messaging/topic.js';

type Listener = (topic: Topic) => void;

/** Tells the consumers of this process at once what its publisher has stored; other processes look by themselves. */
export class QueueSignal {
  private readonly listeners = new Set<Listener>();

  /** Returns the function that ends it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  announce(topic: Topic): void {
    for (const listener of this.listeners) listener(topic);
  }
}

const signals = new WeakMap<Database, QueueSignal>();

/** The signal of a database: publisher and consumers that share the one share the other. */
export function signalOf(database: Database): QueueSignal {
  const signal = signals.get(database) ?? new QueueSignal();
  signals.set(database, signal);
  return signal;
}
