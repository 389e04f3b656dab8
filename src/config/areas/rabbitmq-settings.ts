import { choice, optionalUrl } from '../setting.js';

/** RabbitMQ, where it is the broker. */
export const rabbitmqSettings = {
  url: optionalUrl('AMQP_URL', ['amqp', 'amqps'], {
    doc: 'RabbitMQ; user, password and virtual host as parts of the URL.',
    secret: true,
  }),
  queues: choice('AMQP_QUEUES', ['quorum', 'classic'], 'quorum', {
    doc: 'Kind of the queues that are made; quorum queues are replicated in a cluster.',
  }),
  declare: choice('AMQP_DECLARE', ['on', 'off'], 'on', {
    doc: 'Whether the service makes queues that are missing; with off, only the init command does.',
  }),
} as const;
