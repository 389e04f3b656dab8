import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { OwnRedis } from '../../../testing/own-redis.js';
import { StreamConnection } from './stream-connection.js';
import { StreamScripts } from './stream-scripts.js';

const stream = 'test-document-parse:0';
const group = 'test-parse';

describe('StreamScripts', () => {
  let server: OwnRedis;
  let connection: StreamConnection;
  let first: StreamScripts;
  let second: StreamScripts;

  beforeAll(async () => {
    server = await OwnRedis.create();
  });

  afterAll(() => server.remove());

  beforeEach(async () => {
    connection = await StreamConnection.open(server.url, 'test', 5_000);
    await connection.redis.flushall();
    first = new StreamScripts(connection, group, 'first');
    second = new StreamScripts(connection, group, 'second');
  });

  afterEach(() => connection.cut());

  it('give a stream to one member, and its entries to nobody else', async () => {
    await connection.redis.xadd(stream, '*', 'value', '1');
    expect(await first.take(stream, 5_000)).toBe('0-0');
    expect(await second.take(stream, 5_000)).toBeUndefined();
    expect(await second.read(stream, 10)).toBeUndefined();
    expect(await second.replay(stream, undefined, 10)).toBeUndefined();
    expect(await second.keep(stream, 5_000)).toBe(false);
    await second.release(stream);
    expect(await first.read(stream, 10)).toHaveLength(1);
    expect(await first.keep(stream, 5_000)).toBe(true);
  });

  it('give a stream to the next member when the first is not heard of, with all that it left', async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => connection.redis.xadd(stream, '*', 'value', n)));
    await first.take(stream, 50);
    await first.read(stream, 2);
    await pause(80);
    expect(await second.take(stream, 5_000)).toBe(ids[1]);
    expect(await first.read(stream, 10)).toBeUndefined();
    const left = await second.replay(stream, undefined, 10);
    expect(left?.map(({ id, timesInHand }) => [id, timesInHand])).toEqual([
      [ids[0], 1],
      [ids[1], 1],
    ]);
    expect((await second.replay(stream, ids[0] ?? '', 10))?.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await second.read(stream, 10))?.map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('claim more than one look of what was left', async () => {
    const transaction = connection.redis.pipeline();
    for (let n = 0; n < 350; n += 1) transaction.xadd(stream, '*', 'value', n);
    await transaction.exec();
    await first.take(stream, 5_000);
    await first.read(stream, 350);
    await first.release(stream);
    await second.take(stream, 5_000);
    expect(await second.replay(stream, undefined, 1_000)).toHaveLength(350);
  });

  it('cut what would be too much for a reader, and say how long it was', async () => {
    await connection.redis.xadd(stream, '*', 'value', 'x'.repeat(3_000_000), 'a', 'b');
    await first.take(stream, 5_000);
    const [entry] = (await first.read(stream, 10)) ?? [];
    const fields = entry?.fields?.map(String) ?? [];
    expect(fields[1]?.length).toBe(65_536);
    expect(fields.slice(2)).toEqual(['a', 'b', 'x-dead-bytes', '3000000']);
    expect((await first.replay(stream, undefined, 10))?.[0]?.fields?.map(String)).toEqual(fields);
  });

  it('know who is there, in the same order for all, and forget who is not', async () => {
    expect(await second.announce(60)).toEqual(['second']);
    expect(await first.announce(60)).toEqual(['first', 'second']);
    await pause(90);
    expect(await first.announce(60)).toEqual(['first']);
    await first.leave();
    expect(await second.announce(60)).toEqual(['second']);
  });
});
