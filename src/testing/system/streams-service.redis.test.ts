import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { at } from '../api-client.js';
import { BrokerService, describeService } from '../broker-service.js';
import { OwnRedis } from '../own-redis.js';
import { ServiceProcess } from '../service-process.js';

jest.setTimeout(120_000);

let redis: OwnRedis;
let service: BrokerService;

beforeAll(async () => {
  redis = await OwnRedis.create();
  service = await BrokerService.start({ BROKER: 'redis', REDIS_URL: redis.url });
});

afterAll(async () => {
  await service.close();
  await redis.remove();
});

describe('the service on PostgreSQL and Redis Streams', () => {
  describeService(() => service);

  it('builds what it had accepted after Redis came back empty', async () => {
    const { documentId, planId } = await service.confirmed();
    await service.stopWorker();
    const taskId = await service.build(documentId, planId);
    await redis.kill();
    await redis.start();
    await service.startWorker();
    expect(at(await service.api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
  });

  it('refuses to start with another number of partitions than the processes that run', async () => {
    const refused = ServiceProcess.launch({ ...service.env('relay'), TOPIC_PARTITIONS: '7' });
    expect(await refused.ended()).toBe(2);
    expect(refused.text).toContain('Set TOPIC_PARTITIONS=3');
  });
});
