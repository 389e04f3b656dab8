import { surveyKafka } from '../adapters/kafka/survey-kafka.js';
import { surveyQueues } from '../adapters/postgres-queue/survey-queues.js';
import { surveyRabbit } from '../adapters/rabbitmq/survey-rabbit.js';
import { surveyStreams } from '../adapters/redis/streams/survey-streams.js';
import type { BrokerName } from '../config/areas/broker-settings.js';
import { assertNever } from '../domain/assert-never.js';
import { DrainedBroker } from '../messaging/draining/drained-broker.js';
import type { Survey } from '../messaging/draining/remainder.js';
import { kafkaOptions } from './kafka-access.js';
import type { BrokerGround } from './open-broker.js';
import { rabbitOptions } from './rabbit-access.js';
import { streamOptions } from './streams-access.js';

/** A broker that is only read any more; nothing is connected yet. */
export function openDrained(name: BrokerName, ground: BrokerGround): DrainedBroker {
  const { config, logger } = ground;
  return new DrainedBroker(name, surveyOf(name, ground), config.broker.sendDeadlineMs, logger);
}

function surveyOf(name: BrokerName, { config, database, clock, logger }: BrokerGround): Survey {
  switch (name) {
    case 'kafka': {
      const options = { ...kafkaOptions(config), clock };
      return (deadlineMs) => surveyKafka(options, deadlineMs, logger);
    }
    case 'rabbitmq': {
      const options = rabbitOptions(config);
      return (deadlineMs) => surveyRabbit(options, deadlineMs, logger);
    }
    case 'redis': {
      const options = streamOptions(config);
      return (deadlineMs) => surveyStreams(options, deadlineMs, logger);
    }
    case 'postgres': {
      const { prefix } = config.broker;
      return (deadlineMs) => surveyQueues(database, { prefix }, deadlineMs, logger);
    }
    default:
      return assertNever(name);
  }
}
