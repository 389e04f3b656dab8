import { RedisLink } from '../adapters/redis/redis-link.js';
import { RedisTaskLock } from '../adapters/redis/redis-task-lock.js';
import type { AppConfig } from '../config/app-config.js';
import type { Lifecycle } from './lifecycle.js';

/** What a Redis makes faster. Each part goes on without it. */
export interface RedisParts {
  readonly lock: RedisTaskLock;
}

/** Connects to the configured Redis; one that does not answer is a warning. Undefined where none is configured. */
export async function openRedis(config: AppConfig, lifecycle: Lifecycle): Promise<RedisParts | undefined> {
  const { url, prefix } = config.redis;
  if (!url) return undefined;
  const link = new RedisLink(url, lifecycle.logger.child({ part: 'redis' }));
  lifecycle.add('redis', () => link.stop());
  lifecycle.watchExtra('redis', () => link.health());
  await link.start();
  const lock = new RedisTaskLock(link, prefix, config.worker.leaseMs);
  lifecycle.add('redis-lock', () => Promise.resolve(lock.stop()));
  lock.start();
  return { lock };
}
