import { choice, choices, hostList, integer, text } from '../setting.js';

const brokerNames = ['postgres', 'kafka', 'rabbitmq', 'redis'] as const;
export type BrokerName = (typeof brokerNames)[number];

/** The message broker. */
export const brokerSettings = {
  broker: choice('BROKER', brokerNames, 'postgres', {
    doc: 'Which broker carries the messages; postgres uses the database itself.',
  }),
  drained: choices('DRAIN_BROKERS', brokerNames, [], {
    doc: 'Brokers that are left: nothing is sent to them, workers read what still lies there.',
  }),
  prefix: text('TOPIC_PREFIX', 'indexwright', {
    doc: 'First part of the name of every topic, queue and group; one per environment.',
  }),
  kafkaBrokers: hostList('KAFKA_BROKERS', '127.0.0.1:9092', { doc: 'Kafka bootstrap servers.' }),
  partitions: integer('TOPIC_PARTITIONS', 3, {
    min: 1,
    max: 1_000,
    doc: 'Partitions of a new topic; on RabbitMQ and Redis, queues of each topic, alike in all processes.',
  }),
  replication: integer('TOPIC_REPLICATION', 1, {
    min: 1,
    max: 10,
    doc: 'Replicas of a topic that the init command creates.',
  }),
  sendDeadlineMs: integer('SEND_DEADLINE_MS', 3_000, {
    min: 200,
    max: 30_000,
    unit: 'ms',
    doc: 'How long a build waits for the broker before it is refused.',
  }),
  sendsWaiting: integer('SENDS_WAITING_MAX', 8, {
    min: 1,
    max: 500,
    doc: 'Builds that may wait for the broker at once; more get 503. Keep it under the pool size.',
  }),
} as const;
