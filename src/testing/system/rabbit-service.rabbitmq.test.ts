import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BrokerService, describeService } from '../broker-service.js';
import { RabbitTestBroker } from '../contract/rabbit-broker.js';
import { ServiceProcess } from '../service-process.js';

jest.setTimeout(120_000);

let broker: RabbitTestBroker;
let service: BrokerService;

beforeAll(async () => {
  broker = await RabbitTestBroker.open();
  const { url, prefix } = broker.options;
  service = await BrokerService.start({ BROKER: 'rabbitmq', AMQP_URL: url, TOPIC_PREFIX: prefix });
});

afterAll(async () => {
  await service.close();
  await broker.close();
});

describe('the service on PostgreSQL and RabbitMQ', () => {
  describeService(() => service);

  it('refuses to start without the queues where it must not make them, and names what is missing', async () => {
    const none = { ...service.env('relay'), TOPIC_PREFIX: `${broker.options.prefix}-none`, AMQP_DECLARE: 'off' };
    const refused = ServiceProcess.launch(none);
    expect(await refused.ended()).toBe(2);
    expect(refused.text.trim().split('\n')).toEqual([
      expect.stringMatching(/RabbitMQ has no queue \S+-none-document-parse\.0, .*npm run topics/),
    ]);
  });
});
