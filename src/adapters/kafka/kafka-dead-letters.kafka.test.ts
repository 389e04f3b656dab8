import { jest } from '@jest/globals';
import { describeDeadLetters } from '../../testing/contract/dead-letters-contract.js';
import { KafkaTestBroker } from '../../testing/contract/kafka-broker.js';

jest.setTimeout(60_000);

describeDeadLetters('kafka', () => KafkaTestBroker.open());
