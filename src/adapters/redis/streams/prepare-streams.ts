import { StartRefusal } from '../../../domain/start-refusal.js';
import { brokerUnavailable, withDeadline } from '../../../messaging/deadline.js';
import { topics } from '../../../messaging/topic.js';
import { demandServer, weaknessesOf } from './server-demands.js';
import { StreamConnection } from './stream-connection.js';
import { describeRedisError } from './stream-errors.js';
import { ownerKey, partitionsKey, streamsOf } from './stream-names.js';
import type { StreamOptions } from './stream-options.js';

export interface StreamsReport {
  /** How many streams shared the messages of a topic before; undefined where nobody had said. */
  readonly before: number | undefined;
  /** Settings under which Redis may lose what it has acknowledged. */
  readonly weaknesses: readonly string[];
}

const preparationMs = 15_000;

/**
 * Has as many streams share the messages of each topic as the options say, from now on. The streams themselves come with
 * their first message.
 *
 * @throws StartRefusal while messages lie where another number had put them. @throws AppError BROKER_UNAVAILABLE.
 */
export async function prepareStreams(options: StreamOptions): Promise<StreamsReport> {
  let connection: StreamConnection | undefined;
  try {
    return await withDeadline(preparationMs, async (expired) => {
      const { redis } = (connection = await StreamConnection.open(options.url, 'topics', preparationMs, expired));
      const info = await redis.info();
      demandServer(info);
      const key = partitionsKey(options.prefix);
      const noted = await redis.get(key);
      const before = noted === null ? undefined : Number(noted);
      if (before !== undefined && before !== options.partitions)
        await leaveStreams(redis, { ...options, partitions: before });
      await redis.set(key, options.partitions);
      return { before, weaknesses: weaknessesOf(info) };
    });
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw brokerUnavailable(`Redis did not do it: ${describeRedisError(error)}.`, error);
  } finally {
    connection?.cut();
  }
}

/** Removes the empty streams of another number. */
async function leaveStreams(redis: StreamConnection['redis'], former: StreamOptions): Promise<void> {
  const streams = topics.flatMap((topic) => streamsOf(former, topic));
  const lengths = await Promise.all(streams.map((stream) => redis.xlen(stream)));
  const unread = lengths.reduce((sum, length) => sum + length, 0);
  if (unread > 0) {
    throw new StartRefusal(
      `${unread} messages are unread in ${former.partitions} partitions. Let the workers finish with ` +
        `TOPIC_PARTITIONS=${former.partitions}, then stop all processes and try again.`,
    );
  }
  if ((await redis.exists(...streams.map(ownerKey))) > 0) {
    throw new StartRefusal('Workers read the topics. Stop all processes of this environment and try again.');
  }
  await redis.del(...streams);
}
