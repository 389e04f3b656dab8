import { jest } from '@jest/globals';
import { describeDeadLetters } from '../../testing/contract/dead-letters-contract.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';

jest.setTimeout(60_000);

describeDeadLetters('rabbitmq', () => RabbitTestBroker.open());
