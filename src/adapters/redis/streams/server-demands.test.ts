import { describe, expect, it } from '@jest/globals';
import { demandServer, weaknessesOf } from './server-demands.js';

const info = (fields: Record<string, string>): string =>
  ['# Server', ...Object.entries(fields).map(([name, value]) => `${name}:${value}`), ''].join('\r\n');
const durable = { redis_version: '7.0.15', aof_enabled: '1', maxmemory: '0', maxmemory_policy: 'noeviction' };

describe('what is asked of the Redis that carries messages', () => {
  it('is a version whose scripts may read without memory', () => {
    expect(() => demandServer(info({ redis_version: '6.2.14' }))).toThrow('Redis 6.2.14 cannot carry messages');
    for (const version of ['7.0.0', '7.4.2', '8.2.1', '10.0.0']) demandServer(info({ redis_version: version }));
  });

  it('is that it keeps what it acknowledged, on disk and when its memory is full', () => {
    expect(weaknessesOf(info(durable))).toEqual([]);
    expect(weaknessesOf(info({ ...durable, maxmemory_policy: 'allkeys-lru' }))).toEqual([]);
    expect(weaknessesOf(info({ ...durable, aof_enabled: '0' }))).toEqual([expect.stringContaining('appendonly yes')]);
    expect(weaknessesOf(info({ ...durable, maxmemory: '1000', maxmemory_policy: 'allkeys-lru' }))).toEqual([
      expect.stringContaining('maxmemory-policy noeviction'),
    ]);
    expect(weaknessesOf(info({ ...durable, maxmemory: '1000', maxmemory_policy: 'volatile-ttl' }))).toEqual([]);
  });
});
