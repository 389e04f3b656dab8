import { afterAll, beforeAll } from '@jest/globals';
import { describeMove } from '../testing/contract/describe-move.js';
import { movedKafka, movedQueues, movedStreams } from '../testing/contract/moved-brokers.js';
import { OwnRedis } from '../testing/own-redis.js';

let redis: OwnRedis;

beforeAll(async () => {
  redis = await OwnRedis.create();
});

afterAll(() => redis.remove());

describeMove('redis to postgres', () => movedStreams(redis.url), movedQueues);
describeMove('kafka to redis', movedKafka, () => movedStreams(redis.url));
