import { setTimeout as pause } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { brokerName, deadLetters, destinations } from '../../messaging/topic.js';
import { withAdmin } from './kafka-admin.js';
import { isAnswer } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';

export interface TopicLayout {
  readonly partitions: number;
  readonly replication: number;
}

/** What became of one topic. */
export interface TopicReport {
  readonly topic: string;
  readonly created: boolean;
  readonly partitions: number;
}

/** Creating waits for the broker's controller, in ms. */
const creationMs = 15_000;
/** Dead letters carry more headers than the message that was just small enough for its own topic. */
const deadLetterBytes = 2 * 1_048_576;

/** Full names of all topics of an environment, those of dead letters last. */
export function topicNames(prefix: string): string[] {
  return destinations.map((each) => brokerName(prefix, each));
}

/** Creates the topics that are missing and leaves the others as they are. @throws AppError BROKER_UNAVAILABLE. */
export async function createTopics(options: KafkaOptions, layout: TopicLayout, logger: Logger): Promise<TopicReport[]> {
  const names = topicNames(options.prefix);
  return withAdmin(options, creationMs, logger, async (admin, expired) => {
    const missing = await missingTopics(admin, names);
    if (missing.length > 0) {
      await admin.createTopics({
        timeout: creationMs,
        waitForLeaders: false,
        topics: missing.map((topic) => topicConfig(topic, options.prefix, layout)),
      });
      await untilUsable(admin, missing, expired);
    }
    const { topics: present } = await admin.fetchTopicMetadata({ topics: names });
    return names.map((topic) => ({
      topic,
      created: missing.includes(topic),
      partitions: present.find(({ name }) => name === topic)?.partitions.length ?? 0,
    }));
  });
}

/** Which of the topics are not there. */
export async function missingTopics(admin: Admin, names: readonly string[]): Promise<string[]> {
  const whole = await admin.fetchTopicMetadata({ topics: [...names] }).then(
    () => true,
    () => false, // an error does not say which topic it is about
  );
  if (whole) return [];
  const present = new Set(await admin.listTopics());
  return names.filter((name) => !present.has(name));
}

/** A topic is known some time before every partition of it can be written and read. */
async function untilUsable(admin: Admin, names: readonly string[], expired: AbortSignal): Promise<void> {
  for (;;) {
    try {
      for (const name of names) await admin.fetchTopicOffsets(name);
      return;
    } catch (error) {
      if (!isAnswer(error)) throw error;
      await pause(50, undefined, { signal: expired });
    }
  }
}

function topicConfig(topic: string, prefix: string, { partitions, replication }: TopicLayout): ITopicConfig {
  const isDeadLetter = deadLetters.some((each) => topic === brokerName(prefix, each));
  return {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    ...(isDeadLetter ? { configEntries: [{ name: 'max.message.bytes', value: String(deadLetterBytes) }] } : {}),
  };
}
