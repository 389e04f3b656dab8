import { jest } from '@jest/globals';
import { KafkaTestBroker } from '../../testing/contract/kafka-broker.js';
import { describeMessaging } from '../../testing/contract/messaging-contract.js';

jest.setTimeout(60_000);

describeMessaging('kafka', { open: () => KafkaTestBroker.open(), servesProcesses: true, pickupMs: 500 });
