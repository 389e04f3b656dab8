import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { OwnRedis } from '../../testing/own-redis.js';
import { RedisLink } from './redis-link.js';
import { RedisTaskLock } from './redis-task-lock.js';

const key = 'test:lock:index-task:7';

/** More than a busy machine needs for an answer. */
const patienceMs = 2_000;

let server: OwnRedis;
let links: RedisLink[];
let mine: RedisTaskLock;
let other: RedisTaskLock;

const lockOf = async (): Promise<RedisTaskLock> => {
  const link = new RedisLink(server.url, silentLogger, patienceMs);
  links.push(link);
  await link.start();
  return new RedisTaskLock(link, 'test', 10_999);
};
const lifeLeft = async (): Promise<number> => Number((await server.tell('TTL', key)).slice(1));

beforeEach(async () => {
  server = await OwnRedis.create();
  links = [];
  [mine, other] = [await lockOf(), await lockOf()];
});
afterEach(async () => {
  server.wake();
  for (const link of links) await link.stop();
  await server.remove();
});

describe('the lock of a task', () => {
  it('is held by one at a time, for no longer than the lease', async () => {
    expect(await mine.take('7')).toBe(true);
    expect(await other.take('7')).toBe(false);
    expect(await mine.take('7')).toBe(false);
    expect(await lifeLeft()).toBe(10);
    await mine.release('7');
    expect(await other.take('7')).toBe(true);
  });

  it('is not removed by a holder that it has outgrown', async () => {
    await mine.take('7');
    await server.tell('DEL', key);
    expect(await other.take('7')).toBe(true);
    await mine.release('7');
    expect(await server.tell('EXISTS', key)).toBe(':1\r\n');
  });

  it('lives on while it is kept, and only its own', async () => {
    await mine.take('7');
    await server.tell('EXPIRE', key, '2');
    await other.keep();
    expect(await lifeLeft()).toBeLessThanOrEqual(2);
    await mine.keep();
    expect(await lifeLeft()).toBe(10);
  });

  it('is not taken back from its next holder', async () => {
    await mine.take('7');
    await server.tell('DEL', key);
    await other.take('7');
    const token = await server.tell('GET', key);
    await mine.keep();
    expect(await server.tell('GET', key)).toBe(token);
  });

  it('is there again after Redis lost everything', async () => {
    await mine.take('7');
    await server.tell('FLUSHALL');
    await mine.keep();
    expect(await other.take('7')).toBe(false);
  });

  it('keeps nobody from a task while Redis is dead', async () => {
    await server.kill();
    expect(await mine.take('7')).toBe(true);
    expect(await other.take('7')).toBe(true);
    await mine.release('7');
  });

  it('ends by itself when it was taken with an answer that came too late', async () => {
    server.hang();
    expect(await mine.take('7')).toBe(true);
    await mine.release('7');
    server.wake();
    const left = await lifeLeft();
    expect(left).not.toBe(-1);
    expect(left).toBeLessThanOrEqual(10);
  });
});
