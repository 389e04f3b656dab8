import { setTimeout as pause } from 'node:timers/promises';
import type { PartitionReader } from './partition-reader.js';
import type { StreamConnection } from './stream-connection.js';

/** Pause before it is tried again to end a question that may not have arrived yet, in ms. */
const unblockEveryMs = 5;

/**
 * Waits for new entries over a connection of its own, which Redis holds meanwhile. It is told of them only: they are
 * fetched by whoever may read them.
 */
export class NewsWaiter {
  private asking: Promise<unknown> | undefined;
  private askedAt = 0;
  private woken = false;
  private endRest: () => void = () => undefined;

  private constructor(
    private readonly connection: StreamConnection,
    private readonly beside: StreamConnection,
    private readonly number: number,
    private readonly blockMs: number,
  ) {}

  /** @param beside ends waiting early */
  static async on(connection: StreamConnection, beside: StreamConnection, blockMs: number): Promise<NewsWaiter> {
    return new NewsWaiter(connection, beside, await connection.redis.client('ID'), blockMs);
  }

  /** ms since Redis was asked; 0 while it is not. */
  get waitedMs(): number {
    return this.asking ? performance.now() - this.askedAt : 0;
  }

  /** Resolves when one of the readers has something to fetch, when it is woken, or after a while. */
  async wait(readers: readonly PartitionReader[]): Promise<void> {
    const behind = new Map(readers.flatMap((reader) => (reader.waitsBehind ? [[reader.stream, reader]] : [])));
    if (!this.woken && behind.size > 0) await this.ask(behind);
    else if (!this.woken) await this.rest();
    this.woken = false;
  }

  /** What is waited for has changed. */
  wake(): void {
    this.woken = true;
    this.endRest();
    void this.unblock(this.asking);
  }

  private async ask(behind: ReadonlyMap<string, PartitionReader>): Promise<void> {
    const ids = [...behind.values()].map(({ waitsBehind }) => waitsBehind ?? '$');
    this.askedAt = performance.now();
    const asking = this.connection.redis.xread('COUNT', 1, 'BLOCK', this.blockMs, 'STREAMS', ...behind.keys(), ...ids);
    this.asking = asking;
    try {
      for (const [stream, [entry]] of (await asking) ?? []) if (entry) behind.get(stream)?.noteNews(entry[0]);
    } finally {
      this.asking = undefined;
    }
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.blockMs);
      this.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Without the right to do so, the question ends by itself. */
  private async unblock(asking: Promise<unknown> | undefined): Promise<void> {
    try {
      while (asking && asking === this.asking && (await this.beside.redis.client('UNBLOCK', this.number)) === 0) {
        await pause(unblockEveryMs);
      }
    } catch {
      // Whoever reads the connection is told why it ended.
    }
  }
}
