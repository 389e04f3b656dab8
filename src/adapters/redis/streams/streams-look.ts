import { StartRefusal } from '../../../domain/start-refusal.js';
import type { BrokerLook } from '../../../messaging/broker/broker-watch.js';
import { StreamConnection } from './stream-connection.js';
import { describeRedisError, isForbidden } from './stream-errors.js';
import { allStreams, partitionsKey } from './stream-names.js';
import type { StreamOptions } from './stream-options.js';
import { demandServer, weaknessesOf } from './server-demands.js';

/**
 * Asks Redis whether messages can lie there. Streams come into being with their first message; what must hold is that
 * their names are free for them, and that all processes share messages among as many of them.
 */
export class StreamsLook implements BrokerLook {
  readonly broker = 'Redis';
  readonly describeError = describeRedisError;
  private connection: Promise<StreamConnection> | undefined;

  /** @param onWeakness told after connecting of settings under which Redis may lose what it has acknowledged */
  constructor(
    private readonly options: StreamOptions,
    private readonly onWeakness: (weakness: string) => void = () => undefined,
  ) {}

  async missing(): Promise<readonly string[]> {
    try {
      this.connection ??= this.connect();
      const { redis } = await this.connection;
      await this.agreeOnPartitions(redis);
      const streams = allStreams(this.options);
      const types = await Promise.all(streams.map((stream) => redis.type(stream)));
      return streams.filter((_, at) => types[at] !== 'none' && types[at] !== 'stream');
    } catch (error) {
      if (isForbidden(error)) throw new StartRefusal(`Redis refuses: ${describeRedisError(error)}.`);
      throw error;
    }
  }

  async drop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.then(
      (open) => open.cut(),
      () => undefined, // whoever asked was told
    );
  }

  describeMissing(missing: readonly string[]): string {
    return (
      `Redis keeps something other than messages as ${missing.join(', ')}. Remove it, or give the service names of ` +
      'its own with TOPIC_PREFIX.'
    );
  }

  private async connect(): Promise<StreamConnection> {
    const { url, sendDeadlineMs } = this.options;
    const connection = await StreamConnection.open(url, 'watch', sendDeadlineMs);
    try {
      const info = await connection.redis.info();
      demandServer(info);
      for (const weakness of weaknessesOf(info)) this.onWeakness(weakness);
      return connection;
    } catch (error) {
      connection.cut();
      throw error;
    }
  }

  /** A Redis that lost everything is told again by whoever looks first. */
  private async agreeOnPartitions(redis: StreamConnection['redis']): Promise<void> {
    const { prefix, partitions } = this.options;
    const key = partitionsKey(prefix);
    let noted = await redis.get(key);
    if (noted === null) {
      await redis.setnx(key, partitions);
      noted = await redis.get(key);
    }
    if (noted === null || noted === String(partitions)) return;
    throw new StartRefusal(
      `The topics in Redis have ${noted} partitions. Set TOPIC_PARTITIONS=${noted}, or change them with ` +
        '`npm run topics` while no process of this environment runs.',
    );
  }
}
