import { KafkaConsumers } from '../adapters/kafka/kafka-consumers.js';
import { KafkaPublisher } from '../adapters/kafka/kafka-publisher.js';
import { PostgresQueueConsumers } from '../adapters/postgres-queue/postgres-queue-consumers.js';
import { PostgresQueuePublisher } from '../adapters/postgres-queue/postgres-queue-publisher.js';
import { RabbitConsumers } from '../adapters/rabbitmq/rabbit-consumers.js';
import { RabbitPublisher } from '../adapters/rabbitmq/rabbit-publisher.js';
import { StreamsConsumers } from '../adapters/redis/streams/streams-consumers.js';
import { StreamsPublisher } from '../adapters/redis/streams/streams-publisher.js';
import type { AppConfig } from '../config/app-config.js';
import type { BrokerName } from '../config/areas/broker-settings.js';
import type { Database } from '../database/database.js';
import { assertNever } from '../domain/assert-never.js';
import type { Clock } from '../domain/clock.js';
import type { Logger } from '../logging/logger.js';
import type { MessageConsumers } from '../messaging/message-consumer.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { kafkaOptions } from './kafka-access.js';
import { rabbitOptions } from './rabbit-access.js';
import { streamOptions } from './streams-access.js';

/** Both sides of a broker. */
export interface Broker {
  readonly publisher: MessagePublisher;
  readonly consumers: MessageConsumers;
}

/** What brokers are opened with. */
export interface BrokerGround {
  readonly config: AppConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A broker, as configured; nothing is connected yet. */
export function openBroker(name: BrokerName, { config, database, clock, logger }: BrokerGround): Broker {
  switch (name) {
    case 'kafka': {
      const options = { ...kafkaOptions(config), clock };
      return { publisher: new KafkaPublisher(options, logger), consumers: new KafkaConsumers(options, logger) };
    }
    case 'rabbitmq': {
      const options = rabbitOptions(config);
      return { publisher: new RabbitPublisher(options, logger), consumers: new RabbitConsumers(options, logger) };
    }
    case 'redis': {
      const options = streamOptions(config);
      return { publisher: new StreamsPublisher(options, logger), consumers: new StreamsConsumers(options, logger) };
    }
    case 'postgres': {
      const { prefix } = config.broker;
      return {
        publisher: new PostgresQueuePublisher(database, { prefix }, logger),
        consumers: new PostgresQueueConsumers(database, { prefix }, logger),
      };
    }
    default:
      return assertNever(name);
  }
}
