import type { RabbitOptions } from '../adapters/rabbitmq/rabbit-options.js';
import type { AppConfig } from '../config/app-config.js';

/** How RabbitMQ is reached. @throws Error if the configuration names none, which reading it rules out. */
export function rabbitOptions({ broker, rabbitmq }: AppConfig): RabbitOptions {
  const { url, queues: queueType, declare } = rabbitmq;
  if (!url) throw new Error('AMQP_URL is not set');
  const { prefix, partitions, sendDeadlineMs } = broker;
  return { url, prefix, partitions, queueType, declares: declare === 'on', sendDeadlineMs };
}
