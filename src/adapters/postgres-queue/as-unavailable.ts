import { CommitOutcomeUnknown } from '../../database/database.js';
import { AppError } from '../../domain/errors.js';
import { brokerUnavailable } from '../../messaging/deadline.js';

/** A database that is away is a broker that is away, to whoever sends and reads messages. */
export function asUnavailable(error: unknown): unknown {
  const isAway =
    error instanceof CommitOutcomeUnknown || (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE');
  return isAway ? brokerUnavailable('The database, which carries the messages, does not answer.', error) : error;
}
