import { describe, jest } from '@jest/globals';
import { describeMessaging } from '../../testing/contract/messaging-contract.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';

jest.setTimeout(60_000);

describe.each(['quorum', 'classic'] as const)('on %s queues', (queueType) => {
  describeMessaging('rabbitmq', {
    open: () => RabbitTestBroker.open(undefined, { queueType }),
    servesProcesses: true,
    hidesInHand: true,
    pickupMs: 500,
  });
});
