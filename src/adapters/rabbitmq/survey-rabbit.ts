import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable, withDeadline } from '../../messaging/deadline.js';
import type { Remainder } from '../../messaging/draining/remainder.js';
import { destinations, topics, type Destination } from '../../messaging/topic.js';
import { RabbitConnection } from './rabbit-connection.js';
import { RabbitConsumers } from './rabbit-consumers.js';
import { describeRabbitError } from './rabbit-errors.js';
import type { RabbitOptions } from './rabbit-options.js';
import { firstMissing, queuesOf } from './rabbit-queues.js';

/** No topic has more queues. */
const mostPartitions = 1_000;

/**
 * Looks which queues RabbitMQ has, as a {@link Survey}: of each topic as many as there are, whatever number those who
 * send now are told.
 */
export async function surveyRabbit(options: RabbitOptions, deadlineMs: number, logger: Logger): Promise<Remainder> {
  let connection: RabbitConnection | undefined;
  try {
    return await withDeadline(deadlineMs, async (expired) => {
      connection = await RabbitConnection.open(options.url, 'survey', deadlineMs, expired);
      const found = new Map<Destination, readonly string[]>();
      for (const each of destinations) found.set(each, await runOf(connection, options, each));
      return remainderOf(options, found, logger);
    });
  } catch (error) {
    throw brokerUnavailable(`RabbitMQ did not tell what it has: ${describeRabbitError(error)}.`, error);
  } finally {
    connection?.cut();
  }
}

/** The queues of a destination that are there; they are numbered without a gap. */
async function runOf(
  connection: RabbitConnection,
  options: RabbitOptions,
  destination: Destination,
): Promise<readonly string[]> {
  const queues = queuesOf({ ...options, partitions: mostPartitions }, destination);
  const missing = await firstMissing(connection, queues);
  return missing === undefined ? queues : queues.slice(0, queues.indexOf(missing));
}

function remainderOf(
  options: RabbitOptions,
  queuesIn: ReadonlyMap<Destination, readonly string[]>,
  logger: Logger,
): Remainder {
  const isThere = (destination: Destination): boolean => (queuesIn.get(destination)?.length ?? 0) > 0;
  const found = new Set([...queuesIn.values()].flat());
  const partitions = Math.max(...[...queuesIn.values()].map((queues) => queues.length));
  return {
    topics: topics.filter(isThere),
    missing: destinations.filter((each) => !isThere(each)).flatMap((each) => queuesOf(options, each)),
    consumers: new RabbitConsumers({ ...options, declares: false, partitions, found }, logger),
  };
}
