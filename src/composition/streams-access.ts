import type { StreamOptions } from '../adapters/redis/streams/stream-options.js';
import type { AppConfig } from '../config/app-config.js';

/** How messages lie in Redis. @throws Error if the configuration names none, which reading it rules out. */
export function streamOptions({ broker, redis }: AppConfig): StreamOptions {
  const { url, deadLettersKept } = redis;
  if (!url) throw new Error('REDIS_URL is not set');
  const { prefix, partitions, sendDeadlineMs } = broker;
  return { url, prefix, partitions, deadLettersKept, sendDeadlineMs };
}
