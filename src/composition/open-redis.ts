import { RedisFinishedTasks } from '../adapters/redis/redis-finished-tasks.js';
import { RedisLink } from '../adapters/redis/redis-link.js';
import { RedisSignal } from '../adapters/redis/redis-signal.js';
import { RedisTaskLock } from '../adapters/redis/redis-task-lock.js';
import type { AppConfig } from '../config/app-config.js';
import type { Lifecycle } from './lifecycle.js';

/** What a Redis makes faster. Each part goes on without it. */
export interface RedisParts {
  readonly lock: RedisTaskLock;
  readonly finished: RedisFinishedTasks;
  readonly signal: RedisSignal;
}

/** Connects to the configured Redis; one that does not answer is a warning. Undefined where none is configured. */
export async function openRedis(config: AppConfig, lifecycle: Lifecycle): Promise<RedisParts | undefined> {
  const { url, prefix } = config.redis;
  if (!url) return undefined;
  const logger = lifecycle.logger.child({ part: 'redis' });
  const asking = new RedisLink(url, logger.child({ link: 'asking' }));
  const hearing = new RedisLink(url, logger.child({ link: 'hearing' }));
  lifecycle.add('redis', async () => void (await Promise.all([asking.stop(), hearing.stop()])));
  lifecycle.watchExtra('redis', () => asking.health());
  const lock = new RedisTaskLock(asking, prefix, config.worker.leaseMs);
  const signal = new RedisSignal(asking, hearing, prefix, logger);
  await Promise.all([asking.start(), hearing.start()]);
  lifecycle.add('redis-lock', () => Promise.resolve(lock.stop()));
  lock.start();
  return { lock, finished: new RedisFinishedTasks(asking, prefix), signal };
}
