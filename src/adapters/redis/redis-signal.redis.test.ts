import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { progressSignalContract } from '../../testing/contract/progress-signal-contract.js';
import { listeningLogger, type LogLine } from '../../testing/listening-logger.js';
import { OwnRedis } from '../../testing/own-redis.js';
import { RedisLink } from './redis-link.js';
import { RedisSignal } from './redis-signal.js';

interface Opened {
  readonly signal: RedisSignal;
  readonly telling: RedisLink;
  readonly close: () => Promise<void>;
}

/** More than a busy machine needs for an answer. */
const patienceMs = 2_000;

let server: OwnRedis;

/** What one process holds of the signal. */
async function open(prefix: string, lines?: LogLine[]): Promise<Opened> {
  const [telling, hearing] = [
    new RedisLink(server.url, silentLogger, patienceMs),
    new RedisLink(server.url, silentLogger, patienceMs),
  ];
  const signal = new RedisSignal(telling, hearing, prefix, lines ? listeningLogger(lines) : silentLogger);
  await Promise.all([telling.start(), hearing.start()]);
  return { signal, telling, close: async () => void (await Promise.all([telling.stop(), hearing.stop()])) };
}

beforeAll(async () => {
  server = await OwnRedis.create();
});
afterAll(() => server.remove());

progressSignalContract('redis', async () => {
  const [here, there] = await Promise.all([open('contract'), open('contract')]);
  return {
    here: here.signal,
    there: there.signal,
    close: async () => void (await Promise.all([here.close(), there.close()])),
  };
});

describe('RedisSignal', () => {
  it('tells its own listeners at once and once, also while Redis hangs, and says that it does not reach all', async () => {
    const { signal, telling, close } = await open('hung');
    const heard: string[] = [];
    signal.subscribe(({ taskId }) => heard.push(taskId));
    signal.announce({ tenantId: '0', taskId: '1' });
    expect(heard).toEqual(['1']);
    server.hang();
    signal.announce({ tenantId: '0', taskId: '2' });
    expect(heard).toEqual(['1', '2']);
    await telling.ask('otherwise', (redis) => redis.ping());
    expect(signal.reachesAll).toBe(false);
    server.wake();
    await close();
  });

  it('passes over what is no announcement, and says so', async () => {
    const lines: LogLine[] = [];
    const [{ signal, close }, other] = await Promise.all([open('odd', lines), open('odd')]);
    const heard = new Promise((resolve) => signal.subscribe(resolve));
    await server.tell('PUBLISH', 'odd:task-changes', '{"taskId":1}');
    other.signal.announce({ tenantId: '0', taskId: '1' });
    expect(await heard).toEqual({ tenantId: '0', taskId: '1' });
    expect(lines.map(({ message }) => message)).toEqual(['a wake-up cannot be read']);
    await Promise.all([close(), other.close()]);
  });
});
