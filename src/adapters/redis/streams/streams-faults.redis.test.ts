import { jest } from '@jest/globals';
import { describeOutages } from '../../../testing/contract/describe-outages.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';
import { defaultTimings } from './stream-options.js';

jest.setTimeout(120_000);

describeOutages('redis', {
  create: () => OwnRedis.create(),
  open: (server) => StreamsTestBroker.open(server.url),
  memberMs: defaultTimings.ownMs,
});
