import { jest } from '@jest/globals';
import { describeOutages } from '../../testing/contract/describe-outages.js';
import { KafkaTestBroker, testSessionMs } from '../../testing/contract/kafka-broker.js';
import { OwnKafka } from '../../testing/contract/own-kafka.js';

jest.setTimeout(120_000);

describeOutages('kafka', {
  create: () => OwnKafka.create(),
  open: (server) => KafkaTestBroker.open([server.address]),
  memberMs: testSessionMs,
});
