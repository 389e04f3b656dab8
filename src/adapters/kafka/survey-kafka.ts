import type { Logger } from '../../logging/logger.js';
import type { Remainder } from '../../messaging/draining/remainder.js';
import { brokerName, topics } from '../../messaging/topic.js';
import { withAdmin } from './kafka-admin.js';
import { KafkaConsumers } from './kafka-consumers.js';
import type { KafkaOptions } from './kafka-options.js';
import { missingTopics, topicNames } from './kafka-topics.js';

/** Looks which topics Kafka has, as a {@link Survey}. */
export async function surveyKafka(options: KafkaOptions, deadlineMs: number, logger: Logger): Promise<Remainder> {
  const { prefix } = options;
  const names = topicNames(prefix);
  const missing = await withAdmin(options, deadlineMs, logger, (admin) => missingTopics(admin, names));
  const found = topics.filter((topic) => !missing.includes(brokerName(prefix, topic)));
  return { topics: found, missing, consumers: new KafkaConsumers({ ...options, found }, logger) };
}
