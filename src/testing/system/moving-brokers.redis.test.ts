import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Topic } from '../../messaging/topic.js';
import { ApiClient } from '../api-client.js';
import { MovingBench } from '../moving-bench.js';
import type { ServiceProcess } from '../service-process.js';

// Seconds where the machine has nothing else to do.
jest.setTimeout(400_000);

const everything = 'api,worker,relay,upkeep';
const onRedis = { BROKER: 'redis' };
const onKafka = { BROKER: 'kafka', DRAIN_BROKERS: 'redis' };
const onRedisAgain = { BROKER: 'redis', DRAIN_BROKERS: 'kafka' };

let bench: MovingBench;
let service: ServiceProcess;

beforeAll(async () => {
  bench = await MovingBench.open();
});

afterAll(() => bench.close());

const queues = async () => (await new ApiClient(service.baseUrl).get('/admin/queues')).body;

describe('moving', () => {
  it('from Redis to Kafka with 500 builds under way loses none, and does none twice', async () => {
    const former = await bench.start(everything, onRedis);
    const documents = await bench.documents(former, 500);
    const before = documents.slice(0, 300);
    await bench.build(before, [former]);
    const release = await bench.hold();
    service = await bench.start(everything, onKafka);
    expect(await bench.left()).toBeGreaterThan(0);
    await release();
    // For a while one process sends to the one, and one to the other.
    await bench.build(documents.slice(300), [former, service]);
    expect(await queues()).toMatchObject({ broker: 'kafka', drained: [{ broker: 'redis', lagReason: null }] });
    await former.stop();
    const sentToRedis = await bench.streams.sent(Topic.BuildIndex);
    expect(sentToRedis).toBeGreaterThanOrEqual(400);
    await bench.settle();
    expect(await bench.claimsBy(service, before)).toBeGreaterThan(0);
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
    expect(await bench.streams.sent(Topic.BuildIndex)).toBe(sentToRedis);
    expect(await bench.kafka.stored(Topic.BuildIndex)).toBeGreaterThanOrEqual(100);
    await bench.heard(service, 'a drained broker is empty');
    expect(await queues()).toMatchObject({ drained: [{ broker: 'redis', lag: 0 }] });
  });

  it('back to Redis, by a restart amid 60 builds, does what lies in Kafka', async () => {
    await bench.build(await bench.documents(service, 60), [service]);
    await service.stop();
    expect(await bench.open()).toBeGreaterThan(0);
    const sentToKafka = await bench.kafka.stored(Topic.BuildIndex);
    service = await bench.start(everything, onRedisAgain);
    await bench.build(await bench.documents(service, 10), [service]);
    await bench.settle();
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
    expect(await bench.kafka.stored(Topic.BuildIndex)).toBe(sentToKafka);
  });

  it('to Kafka while Redis is gone needs nobody, and reads what is there when it is back', async () => {
    const documents = await bench.documents(service, 20);
    await service.stop();
    const front = await bench.start('api', onRedis);
    await bench.build(documents, [front]);
    await front.stop();
    await bench.redis.kill();
    service = await bench.start(everything, { ...onKafka, RESEND_AFTER_MS: '1000', UPKEEP_INTERVAL_MS: '300' });
    await bench.settle(() => bench.kafka.unread());
    const { status, body } = await new ApiClient(service.baseUrl).get('/health/ready');
    expect(status).toBe(200);
    const gone = { name: 'drain-redis', needed: false, up: false, detail: expect.stringMatching(/Redis/) };
    expect(body.dependencies).toContainEqual(expect.objectContaining(gone));
    expect(await queues()).toMatchObject({ drained: [{ broker: 'redis', lag: null }] });
    await bench.redis.start();
    expect(await bench.left()).toBe(20);
    await bench.heard(service, 'a drained broker is empty');
    await bench.settle();
    expect(await bench.notExactlyOnce()).toEqual([]);
    expect(await bench.violations()).toEqual([]);
  });
});
