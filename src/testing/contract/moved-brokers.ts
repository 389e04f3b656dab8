import { surveyKafka } from '../../adapters/kafka/survey-kafka.js';
import { surveyQueues } from '../../adapters/postgres-queue/survey-queues.js';
import { surveyRabbit } from '../../adapters/rabbitmq/survey-rabbit.js';
import { surveyStreams } from '../../adapters/redis/streams/survey-streams.js';
import { silentLogger } from '../../logging/logger.js';
import type { MovedBroker, OpenMoved } from './describe-move.js';
import { KafkaTestBroker } from './kafka-broker.js';
import { PostgresQueueTestBroker } from './postgres-queue-broker.js';
import { RabbitTestBroker } from './rabbit-broker.js';
import { StreamsTestBroker } from './streams-broker.js';

export const movedKafka: OpenMoved = async () => {
  const broker = await KafkaTestBroker.open();
  return { broker, survey: (ms) => surveyKafka(broker.options, ms, silentLogger) };
};

export const movedRabbit: OpenMoved = async () => {
  const broker = await RabbitTestBroker.open();
  return { broker, survey: (ms) => surveyRabbit(broker.options, ms, silentLogger) };
};

export const movedQueues: OpenMoved = async (test) => {
  const broker = await PostgresQueueTestBroker.open(test);
  return { broker, survey: (ms) => surveyQueues(test.database, broker.options, ms, silentLogger) };
};

export async function movedStreams(url: string): Promise<MovedBroker> {
  const broker = await StreamsTestBroker.open(url);
  return { broker, survey: (ms) => surveyStreams(broker.options, ms, silentLogger) };
}
