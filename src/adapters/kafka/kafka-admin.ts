import type { Admin } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable, settlesWithin, withDeadline } from '../../messaging/deadline.js';
import { KafkaClient } from './kafka-client.js';
import { describeKafkaError } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';

/** Has something done over a connection of its own. @throws AppError BROKER_UNAVAILABLE, also at the deadline. */
export async function withAdmin<T>(
  options: KafkaOptions,
  deadlineMs: number,
  logger: Logger,
  work: (admin: Admin, expired: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = new KafkaClient({ ...options, requestMs: deadlineMs, retries: 2 }, logger);
  const admin = client.kafka.admin();
  try {
    return await withDeadline(deadlineMs, async (expired) => {
      await admin.connect();
      return work(admin, expired);
    });
  } catch (error) {
    throw brokerUnavailable(
      `Kafka at ${options.brokers.join(', ')} did not do it: ${describeKafkaError(error)}.`,
      error,
    );
  } finally {
    await settlesWithin(1_000, admin.disconnect());
    client.cut();
  }
}
