import { Redis, type ChainableCommander, type RedisKey, type RedisValue } from 'ioredis';

/** How long a connection that is told to close may take, in ms. */
const closeWithinMs = 200;
const keepAliveMs = 10_000;

/**
 * One connection, from opening to its end. It is never brought back and sends nothing twice: whoever uses it knows best
 * what to do again.
 */
export class StreamConnection {
  /** Resolves when the connection has ended, with why. */
  readonly ended: Promise<Error>;
  private cause: Error | undefined;

  private constructor(readonly redis: Redis) {
    redis.on('error', (error: Error) => (this.cause ??= error));
    this.ended = new Promise((resolve) => redis.once('end', () => resolve(this.why())));
  }

  /**
   * Rejects if Redis does not answer in `ms`, or when the signal aborts.
   *
   * @param name what the server's operator reads
   */
  static async open(url: string, name: string, ms: number, signal?: AbortSignal): Promise<StreamConnection> {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectionName: `indexwright-${name}`,
      connectTimeout: ms,
      disconnectTimeout: closeWithinMs,
      keepAlive: keepAliveMs,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      retryStrategy: () => null,
    });
    const connection = new StreamConnection(redis);
    const give = (why: string) => (): void => connection.cut(new Error(why));
    const cancel = give('the connection was given up');
    const timer = setTimeout(give(`no answer within ${ms} ms`), ms);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      signal?.throwIfAborted();
      await redis.connect();
      return connection;
    } catch (error) {
      connection.cut();
      throw connection.cause ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Ends it now; what is under way is rejected. */
  cut(cause?: Error): void {
    this.cause ??= cause;
    this.redis.disconnect();
  }

  /** Has a script run. Texts come as bytes. */
  run(script: string, keys: readonly RedisKey[], ...args: readonly RedisValue[]): Promise<unknown> {
    return this.redis.callBuffer('EVAL', script, keys.length, ...keys, ...args);
  }

  /** Has all of the commands run, or none. Rejects with the first that failed. */
  async together(commands: (transaction: ChainableCommander) => unknown): Promise<void> {
    const transaction = this.redis.multi();
    commands(transaction);
    const failure = (await transaction.exec())?.find(([error]) => error)?.[0];
    if (failure) throw failure;
  }

  private why(): Error {
    return this.cause ?? new Error('the connection was closed');
  }
}
