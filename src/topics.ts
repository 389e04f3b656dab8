/** `npm run topics`: creates what is missing of the broker's topics or queues; safe to repeat. */
import { createTopics } from './adapters/kafka/kafka-topics.js';
import { createQueues } from './adapters/rabbitmq/create-queues.js';
import { prepareStreams } from './adapters/redis/streams/prepare-streams.js';
import { kafkaOptions } from './composition/kafka-access.js';
import { rabbitOptions } from './composition/rabbit-access.js';
import { streamOptions } from './composition/streams-access.js';
import { ConfigError, loadConfig, type AppConfig } from './config/app-config.js';
import { assertNever } from './domain/assert-never.js';
import { AppError } from './domain/errors.js';
import { StartRefusal } from './domain/start-refusal.js';
import { createJsonLogger } from './logging/logger.js';

/** What became of each, one line each. */
async function createMissing(config: AppConfig): Promise<string[]> {
  const { broker } = config.broker;
  switch (broker) {
    case 'kafka':
      return createKafkaTopics(config);
    case 'rabbitmq':
      return createRabbitQueues(config);
    case 'redis':
      return prepareRedis(config);
    case 'postgres':
      return ['BROKER is postgres, which needs no topics. Set BROKER to another one to create some.'];
    default:
      return assertNever(broker);
  }
}

async function createKafkaTopics(config: AppConfig): Promise<string[]> {
  const { partitions, replication } = config.broker;
  const logger = createJsonLogger(config.process.logLevel);
  const reports = await createTopics(kafkaOptions(config), { partitions, replication }, logger);
  return reports.map(({ topic, created, partitions: count }) => {
    const other = count === partitions ? '' : `; TOPIC_PARTITIONS=${partitions} holds for new topics only`;
    return `${verbOf(created)}  ${topic}  (partitions: ${count}${other})`;
  });
}

async function createRabbitQueues(config: AppConfig): Promise<string[]> {
  const reports = await createQueues(rabbitOptions(config));
  return reports.map(({ queue, created, otherwise }) => {
    return `${verbOf(created)}  ${queue}${otherwise ? `  (with other settings: ${otherwise})` : ''}`;
  });
}

async function prepareRedis(config: AppConfig): Promise<string[]> {
  const { prefix, partitions } = config.broker;
  const { before, weaknesses } = await prepareStreams(streamOptions(config));
  const change = before === undefined || before === partitions ? '' : `; were ${before}`;
  const streams = `${prefix}-*  (partitions: ${partitions}${change}; streams come with their first message)`;
  return [`${before === partitions ? 'is there' : 'prepared'}  ${streams}`, ...weaknesses];
}

function verbOf(created: boolean): string {
  return created ? 'created ' : 'is there';
}

try {
  for (const line of await createMissing(loadConfig(process.env))) console.log(line);
} catch (error) {
  if (!(error instanceof AppError || error instanceof ConfigError || error instanceof StartRefusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
