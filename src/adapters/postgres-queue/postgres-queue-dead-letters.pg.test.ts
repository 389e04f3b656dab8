import { jest } from '@jest/globals';
import { describeDeadLetters } from '../../testing/contract/dead-letters-contract.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';

jest.setTimeout(60_000);

describeDeadLetters('postgres', (test) => PostgresQueueTestBroker.open(test));
