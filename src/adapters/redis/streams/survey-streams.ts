import { StartRefusal } from '../../../domain/start-refusal.js';
import type { Logger } from '../../../logging/logger.js';
import { brokerUnavailable, withDeadline } from '../../../messaging/deadline.js';
import type { Remainder } from '../../../messaging/draining/remainder.js';
import { topics, type Topic } from '../../../messaging/topic.js';
import { demandServer } from './server-demands.js';
import { StreamConnection } from './stream-connection.js';
import { describeRedisError } from './stream-errors.js';
import { partitionsKey, streamsOf } from './stream-names.js';
import type { StreamOptions } from './stream-options.js';
import { StreamsConsumers } from './streams-consumers.js';

/**
 * Looks what Redis has, as a {@link Survey}: as many streams of each topic as Redis itself says, whatever number those
 * who send now are told. Where that is noted, streams may still come, with their first message.
 */
export async function surveyStreams(options: StreamOptions, deadlineMs: number, logger: Logger): Promise<Remainder> {
  let connection: StreamConnection | undefined;
  try {
    return await withDeadline(deadlineMs, async (expired) => {
      const { redis } = (connection = await StreamConnection.open(options.url, 'survey', deadlineMs, expired));
      demandServer(await redis.info());
      const noted = await redis.get(partitionsKey(options.prefix));
      const own = { ...options, partitions: Number(noted ?? options.partitions) };
      const isThere = async (topic: Topic): Promise<boolean> =>
        noted !== null || (await redis.exists(...streamsOf(own, topic))) > 0;
      const there = await Promise.all(topics.map(isThere));
      const found = topics.filter((_, at) => there[at]);
      const missing = topics.filter((_, at) => !there[at]).flatMap((topic) => streamsOf(own, topic));
      return { topics: found, missing, consumers: new StreamsConsumers({ ...own, found }, logger) };
    });
  } catch (error) {
    if (error instanceof StartRefusal) throw brokerUnavailable(error.message, error);
    throw brokerUnavailable(`Redis did not tell what it has: ${describeRedisError(error)}.`, error);
  } finally {
    connection?.cut();
  }
}
