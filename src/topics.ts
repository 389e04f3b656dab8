/** `npm run topics`: creates the Kafka topics that are missing; safe to repeat. */
import { createTopics } from './adapters/kafka/kafka-topics.js';
import { kafkaOptions } from './composition/kafka-access.js';
import { ConfigError, loadConfig } from './config/app-config.js';
import { AppError } from './domain/errors.js';
import { createJsonLogger } from './logging/logger.js';

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  const { broker } = config;
  if (broker.broker !== 'kafka') {
    console.log(`BROKER is ${broker.broker}, which needs no topics. Set BROKER=kafka to create topics on Kafka.`);
    return;
  }
  const { partitions, replication } = broker;
  const logger = createJsonLogger(config.process.logLevel);
  const reports = await createTopics(kafkaOptions(config), { partitions, replication }, logger);
  for (const { topic, created, partitions: count } of reports) {
    const other = count === partitions ? '' : `; TOPIC_PARTITIONS=${partitions} holds for new topics only`;
    console.log(`${created ? 'created ' : 'is there'}  ${topic}  (partitions: ${count}${other})`);
  }
}

try {
  await run();
} catch (error) {
  if (!(error instanceof AppError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
