import type { Channel, Options } from 'amqplib';
import { partitionOf } from '../../messaging/broker/partition-of.js';
import {
  brokerName,
  deadLettersOf,
  destinations,
  isDeadLetters,
  isTopic,
  readersOf,
  type Destination,
} from '../../messaging/topic.js';
import type { RabbitConnection } from './rabbit-connection.js';
import { isMissingQueue } from './rabbit-errors.js';
import type { RabbitOptions, RabbitReading } from './rabbit-options.js';

/** What the names of queues follow from. */
export type QueueNaming = Pick<RabbitReading, 'prefix' | 'partitions' | 'found'>;

/** The queues that share the messages of a destination; dead letters of a kind lie in one. */
export function queuesOf({ prefix, partitions, found }: QueueNaming, destination: Destination): string[] {
  const name = brokerName(prefix, destination);
  if (isDeadLetters(destination)) return [name];
  const queues = Array.from({ length: partitions }, (_, n) => `${name}.${n}`);
  return found ? queues.filter((queue) => found.has(queue)) : queues;
}

/** The one queue in which messages of a key for a destination keep their order. */
export function queueFor(naming: QueueNaming, destination: Destination, key: string): string {
  const queues = queuesOf(naming, destination);
  return queues[partitionOf(key, queues.length)] as string;
}

/** The topic of a queue, without the environment's prefix; names of others stay as they are. */
export function topicOfQueue(prefix: string, queue: string): string {
  const start = `${prefix}-`;
  return queue.startsWith(start) ? queue.slice(start.length).replace(/\.\d+$/, '') : queue;
}

/** Full names of all queues of an environment, the dead letters' last. */
export function allQueues(naming: QueueNaming): string[] {
  return destinations.flatMap((each) => queuesOf(naming, each));
}

/** How a queue is made. */
export function settingsOf({ prefix, queueType }: RabbitOptions, queue: string): Options.AssertQueue {
  const own = { 'x-queue-type': queueType };
  const topic = topicOfQueue(prefix, queue);
  if (!isTopic(topic)) return { durable: true, arguments: own };
  return {
    durable: true,
    arguments: {
      ...own,
      // Several consumers may wait for a queue, one gets its messages: so keys keep their order.
      'x-single-active-consumer': true,
      // Where the broker itself gives a message up, it lies beside those that were moved aside.
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': brokerName(prefix, deadLettersOf(readersOf(topic))),
    },
  };
}

/** Has something asked over a channel of its own, which may end by it. Rejects with the broker's answer. */
export async function ask<T>(connection: RabbitConnection, question: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await connection.openChannel(() => undefined);
  const answer = await question(channel);
  await channel.close();
  return answer;
}

/** Which of the queues are not there; those that were made just now, if `options` say so, are. */
export async function missingQueues(
  connection: RabbitConnection,
  options: RabbitOptions,
  queues: readonly string[],
): Promise<string[]> {
  const missing: string[] = [];
  for (let rest = queues; rest.length > 0;) {
    const gone = await firstMissing(connection, rest);
    if (gone === undefined) break;
    missing.push(gone);
    rest = rest.slice(rest.indexOf(gone) + 1);
  }
  if (!options.declares || missing.length === 0) return missing;
  await ask(connection, async (channel) => {
    for (const queue of missing) await channel.assertQueue(queue, settingsOf(options, queue));
  });
  return [];
}

/** The first that is not there: a question about it ends the channel, so one channel gets no further. */
export async function firstMissing(
  connection: RabbitConnection,
  queues: readonly string[],
): Promise<string | undefined> {
  let current: string | undefined;
  try {
    await ask(connection, async (channel) => {
      for (current of queues) await channel.checkQueue(current);
    });
    return undefined;
  } catch (error) {
    if (isMissingQueue(error)) return current;
    throw error;
  }
}
