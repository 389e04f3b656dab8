import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import { withDeadline } from '../../messaging/deadline.js';
import type { Remainder } from '../../messaging/draining/remainder.js';
import { topics } from '../../messaging/topic.js';
import { asUnavailable } from './as-unavailable.js';
import { ensureQueues } from './ensure-queues.js';
import { PostgresQueueConsumers } from './postgres-queue-consumers.js';
import type { PostgresQueueOptions } from './queue-options.js';

/**
 * Looks that the queues can be read, as a {@link Survey}. They lie in the service's own database, where nobody but the
 * service makes them, so those that are missing are made: a reader needs no other case for them.
 */
export async function surveyQueues(
  database: Database,
  options: PostgresQueueOptions,
  deadlineMs: number,
  logger: Logger,
): Promise<Remainder> {
  try {
    await withDeadline(deadlineMs, () => ensureQueues(database, options));
  } catch (error) {
    throw asUnavailable(error);
  }
  return { topics, missing: [], consumers: new PostgresQueueConsumers(database, options, logger) };
}
