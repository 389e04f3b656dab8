import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listeningLogger, type LogLine } from '../../testing/listening-logger.js';
import { OwnRedis } from '../../testing/own-redis.js';
import { RedisLink } from './redis-link.js';

/** More than a busy machine needs for an answer. */
const patienceMs = 2_000;

let server: OwnRedis;
let link: RedisLink;
let lines: LogLine[];
/** Told of every line that is logged. */
let onLine: () => void;

const said = (message: string): number => lines.filter((line) => line.message === message).length;

/** Resolves once the link has said something as often as `times`. */
const hears = (message: string, times = 1): Promise<void> =>
  new Promise((resolve) => {
    onLine = () => {
      if (said(message) >= times) resolve();
    };
    onLine();
  });

const read = (key: string) => link.ask<string | null>('otherwise', (redis) => redis.get(key));

const open = async (url: string): Promise<void> => {
  lines = [];
  onLine = () => undefined;
  const keep = Object.assign([] as LogLine[], {
    push: (line: LogLine): number => {
      lines.push(line);
      onLine();
      return lines.length;
    },
  });
  link = new RedisLink(url, listeningLogger(keep), patienceMs);
  await link.start();
};

beforeEach(async () => {
  server = await OwnRedis.create();
  await open(server.url);
});
afterEach(async () => {
  await link.stop();
  server.wake();
  await server.remove();
});

describe('a link to Redis', () => {
  it('asks, and is well', async () => {
    await server.tell('SET', 'a', '1');
    expect(await read('a')).toBe('1');
    expect(link.health()).toEqual({ up: true });
  });

  it('answers at once in place of a Redis that was killed, and asks again when it is back', async () => {
    await server.kill();
    expect(await read('a')).toBe('otherwise');
    expect(link.health()).toMatchObject({ up: false });
    await server.start();
    await hears('redis answers', 2);
    expect(await read('a')).toBeNull();
  });

  it('waits once for a Redis that hangs, and for no question after that', async () => {
    server.hang();
    let waited = 0;
    const wait = (redis: { get(key: string): Promise<string | null> }): Promise<string | null> => {
      waited += 1;
      return redis.get('a');
    };
    await link.ask<string | null>('otherwise', wait);
    for (let i = 0; i < 100; i += 1) expect(await link.ask<string | null>('otherwise', wait)).toBe('otherwise');
    expect(waited).toBeLessThanOrEqual(1);
    expect(said('redis does not answer; going on without it')).toBe(1);
  });

  it('asks a Redis again that hung and goes on', async () => {
    server.hang();
    await hears('redis does not answer; going on without it');
    server.wake();
    await hears('redis answers', 2);
    await server.tell('SET', 'a', '1');
    expect(await read('a')).toBe('1');
  });

  it('rests from a Redis that refuses what it is asked', async () => {
    const refused = () => link.ask('otherwise', (redis) => redis.call('NO-SUCH-COMMAND') as Promise<string>);
    expect(await refused()).toBe('otherwise');
    expect(await read('a')).toBe('otherwise');
  });

  it('starts without a Redis, warns once, and finds it later', async () => {
    await link.stop();
    await server.kill();
    await open(server.url);
    expect(said('redis does not answer; going on without it')).toBe(1);
    await server.start();
    await hears('redis answers');
  });

  it('never tells the password', async () => {
    await link.stop();
    await server.remove();
    server = await OwnRedis.create({ password: 'open-sesame' });
    await open(server.url);
    expect(link.health()).toEqual({ up: true });
    await link.stop();
    const before = lines;
    await open(server.url.replace('open-', 'closed-'));
    expect(said('redis does not answer; going on without it')).toBe(1);
    expect(JSON.stringify([...before, ...lines, link.health()])).not.toMatch('sesame');
  });

  it('stops while it hangs, and asks nothing after that', async () => {
    server.hang();
    await link.stop();
    await link.stop();
    expect(await read('a')).toBe('otherwise');
  });

  it('hears what is published, also after a restart', async () => {
    const heard: string[] = [];
    let onHeard = (): void => undefined;
    link.listen('news', (message) => {
      heard.push(message);
      onHeard();
    });
    const hearing = (message: string): Promise<void> =>
      new Promise((resolve) => (onHeard = () => heard.at(-1) === message && resolve()));
    const publishUntilHeard = async (message: string): Promise<void> => {
      const arrived = hearing(message);
      // Nobody may be subscribed yet: then the answer is 0.
      while (!(await server.tell('PUBLISH', 'news', message)).startsWith(':1'));
      await arrived;
    };
    await publishUntilHeard('first');
    await server.kill();
    await server.start();
    await publishUntilHeard('second');
    expect(heard).toEqual(['first', 'second']);
  });
});
