import { jest } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { describeDraining } from '../../testing/contract/describe-draining.js';
import { KafkaTestBroker } from '../../testing/contract/kafka-broker.js';
import { surveyKafka } from './survey-kafka.js';

jest.setTimeout(60_000);

describeDraining('kafka', {
  open: () => KafkaTestBroker.open(),
  prefixOf: ({ options }) => options.prefix,
  surveyOf:
    ({ options }, prefix) =>
    (deadlineMs) =>
      surveyKafka({ ...options, prefix }, deadlineMs, silentLogger),
});
