import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { settlesWithin } from '../../messaging/deadline.js';

/** Agreed with the broker, in s: after two in silence the connection counts as lost, on both sides. */
const heartbeatSeconds = 5;

/** One connection, from opening to its end, which comes once, however many events tell of it. */
export class RabbitConnection {
  /** Resolves when the connection has ended, with why. */
  readonly ended: Promise<Error>;
  /** True while the broker lacks memory or disk and takes no messages. */
  blocked = false;
  /** Told when that begins. */
  onBlocked: () => void = () => undefined;

  private constructor(
    private readonly model: ChannelModel,
    private readonly line: AbortController,
  ) {
    this.ended = new Promise((resolve) => {
      let cause: Error | undefined;
      model.on('error', (error) => (cause ??= error));
      model.on('close', (error) => {
        // Nobody answers the end of a line that hangs.
        line.abort();
        resolve(cause ?? error ?? new Error('the connection was closed'));
      });
    });
    model.on('blocked', () => {
      this.blocked = true;
      this.onBlocked();
    });
    model.on('unblocked', () => (this.blocked = false));
  }

  /**
   * Rejects if it is not open in `ms`, or when the signal aborts.
   *
   * @param name what the broker's operator reads
   */
  static async open(url: string, name: string, ms: number, signal?: AbortSignal): Promise<RabbitConnection> {
    const line = new AbortController();
    const give = (why: string) => () => line.abort(new Error(why));
    const cancel = give('the connection was given up');
    const timer = setTimeout(give(`no connection within ${ms} ms`), ms);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      signal?.throwIfAborted();
      const clientProperties = { connection_name: `indexwright ${name}` };
      const options = { noDelay: true, keepAlive: true, signal: line.signal, clientProperties };
      return new RabbitConnection(await connect(withHeartbeat(url), options), line);
    } catch (error) {
      line.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** @param onClose told once with why, if it ends */
  openChannel(onClose: (cause: Error) => void): Promise<Channel> {
    return this.watched(this.model.createChannel(), onClose);
  }

  /** @param onClose told once with why, if it ends */
  openConfirmChannel(onClose: (cause: Error) => void): Promise<ConfirmChannel> {
    return this.watched(this.model.createConfirmChannel(), onClose);
  }

  /** Says goodbye for at most `ms`, and ends in any case. */
  async close(ms: number): Promise<void> {
    await settlesWithin(ms, this.model.close());
    this.cut();
  }

  /** Ends it now. */
  cut(): void {
    this.line.abort();
  }

  private async watched<C extends Channel>(opening: Promise<C>, onClose: (cause: Error) => void): Promise<C> {
    const channel = await opening;
    let cause: Error | undefined;
    channel.on('error', (error) => (cause ??= error));
    channel.once('close', () => onClose(cause ?? new Error('the channel was closed')));
    return channel;
  }
}

function withHeartbeat(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(heartbeatSeconds));
  return url.href;
}
