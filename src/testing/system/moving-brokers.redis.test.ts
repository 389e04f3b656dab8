import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Topic } from '../../messaging/topic.js';
import { ApiClient } from '../api-client.js';
import { MovingBench } from '../moving-bench.js';
import type { ServiceProcess } from '../service-process.js';

jest.setTimeout(300_000);

const onRedis = { BROKER: 'redis' };
const onKafka = { BROKER: 'kafka', DRAIN_BROKERS: 'redis' };
const onRedisAgain = { BROKER: 'redis', DRAIN_BROKERS: 'kafka' };

let bench: MovingBench;
let front: ServiceProcess;
let worker: ServiceProcess;

beforeAll(async () => {
  bench = await MovingBench.open();
});

afterAll(() => bench.close());

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  [front, worker] = await Promise.all([bench.start('api,relay,upkeep', env), bench.start('worker', env)]);
}

const queues = async () => (await new ApiClient(front.baseUrl).get('/admin/queues')).body;

describe('moving', () => {
  it('from Redis to Kafka with 500 builds under way loses none, and does none twice', async () => {
    await start(onRedis);
    const [oldFront, oldWorker] = [front, worker];
    const documents = await bench.documents(front, 500);
    const before = documents.slice(0, 300);
    await bench.build(before, [front]);
    const release = await bench.hold();
    await start(onKafka);
    expect(await bench.left()).toBeGreaterThan(0);
    await release();
    // For a while some processes send to the one, and some to the other.
    await bench.build(documents.slice(300), [oldFront, front]);
    expect(await queues()).toMatchObject({ broker: 'kafka', drained: [{ broker: 'redis', lagReason: null }] });
    await Promise.all([oldFront.stop(), oldWorker.stop()]);
    const sentToRedis = await bench.streams.sent(Topic.BuildIndex);
    expect(sentToRedis).toBeGreaterThanOrEqual(400);
    await bench.until((open) => open === 0);
    expect(await bench.claimsBy(worker, before)).toBeGreaterThan(0);
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
    expect(await bench.streams.sent(Topic.BuildIndex)).toBe(sentToRedis);
    expect(await bench.kafka.stored(Topic.BuildIndex)).toBeGreaterThanOrEqual(100);
    await bench.heard(worker, 'a drained broker is empty');
    expect(await queues()).toMatchObject({ drained: [{ broker: 'redis', lag: 0 }] });
  });

  it('back to Redis, by stopping everything amid 60 builds, does what lies in Kafka', async () => {
    await bench.build(await bench.documents(front, 60), [front]);
    await Promise.all([front.stop(), worker.stop()]);
    expect(await bench.open()).toBeGreaterThan(0);
    const sentToKafka = await bench.kafka.stored(Topic.BuildIndex);
    await start(onRedisAgain);
    await bench.build(await bench.documents(front, 10), [front]);
    await bench.until((open) => open === 0);
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
    expect(await bench.kafka.stored(Topic.BuildIndex)).toBe(sentToKafka);
  });

  it('to Kafka while Redis is gone needs nobody, and reads what is there when it is back', async () => {
    const documents = await bench.documents(front, 20);
    await worker.stop();
    await bench.build(documents, [front]);
    await front.stop();
    await bench.redis.kill();
    await start({ ...onKafka, RESEND_AFTER_MS: '1000', UPKEEP_INTERVAL_MS: '300' });
    await bench.until((open) => open === 0);
    const { status, body } = await new ApiClient(front.baseUrl).get('/health/ready');
    expect(status).toBe(200);
    expect(body.dependencies).toContainEqual(
      expect.objectContaining({
        name: 'drain-redis',
        needed: false,
        up: false,
        detail: expect.stringMatching(/Redis/),
      }),
    );
    expect(await queues()).toMatchObject({ drained: [{ broker: 'redis', lag: null }] });
    await bench.redis.start();
    expect(await bench.left()).toBe(20);
    await bench.heard(worker, 'a drained broker is empty');
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
  });
});
