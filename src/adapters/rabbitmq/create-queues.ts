import { withDeadline, brokerUnavailable } from '../../messaging/deadline.js';
import { RabbitConnection } from './rabbit-connection.js';
import { describeRabbitError, isOtherwise } from './rabbit-errors.js';
import type { RabbitOptions } from './rabbit-options.js';
import { allQueues, ask, missingQueues, settingsOf } from './rabbit-queues.js';

/** What became of one queue. */
export interface QueueReport {
  readonly queue: string;
  readonly created: boolean;
  /** What the broker says of a queue that is there with other settings; it stays as it is. */
  readonly otherwise?: string;
}

const creationMs = 15_000;

/** Makes the queues that are missing and leaves the others as they are. @throws AppError BROKER_UNAVAILABLE. */
export async function createQueues(options: RabbitOptions): Promise<QueueReport[]> {
  let connection: RabbitConnection | undefined;
  try {
    return await withDeadline(creationMs, async (expired) => {
      const open = (connection = await RabbitConnection.open(options.url, 'topics', creationMs, expired));
      const queues = allQueues(options);
      const missing = await missingQueues(open, { ...options, declares: false }, queues);
      const reports: QueueReport[] = [];
      for (const queue of queues) reports.push(await declare(open, options, queue, missing.includes(queue)));
      return reports;
    });
  } catch (error) {
    const { host } = new URL(options.url);
    throw brokerUnavailable(`RabbitMQ at ${host} did not do it: ${describeRabbitError(error)}.`, error);
  } finally {
    connection?.cut();
  }
}

async function declare(
  connection: RabbitConnection,
  options: RabbitOptions,
  queue: string,
  created: boolean,
): Promise<QueueReport> {
  try {
    await ask(connection, (channel) => channel.assertQueue(queue, settingsOf(options, queue)));
    return { queue, created };
  } catch (error) {
    if (!isOtherwise(error)) throw error;
    return { queue, created: false, otherwise: describeRabbitError(error) };
  }
}
