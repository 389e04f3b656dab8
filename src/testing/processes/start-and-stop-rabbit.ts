/** Starts and stops all that talks to RabbitMQ, reports, and does nothing to end. */
import { RabbitConsumers } from '../../adapters/rabbitmq/rabbit-consumers.js';
import type { RabbitOptions } from '../../adapters/rabbitmq/rabbit-options.js';
import { RabbitPublisher } from '../../adapters/rabbitmq/rabbit-publisher.js';
import { silentLogger } from '../../logging/logger.js';
import { ConsumerGroup } from '../../messaging/topic.js';

const options = JSON.parse(process.argv[2] ?? '') as RabbitOptions;
const publisher = new RabbitPublisher(options, silentLogger);
const consumer = new RabbitConsumers(options, silentLogger).create(ConsumerGroup.Index);
await publisher.start();
await consumer.start(() => Promise.resolve({ type: 'done' }));
await Promise.all([publisher.stop(), consumer.stop()]);
process.send?.('stopped');
process.disconnect();
