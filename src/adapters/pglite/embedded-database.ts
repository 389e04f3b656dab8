import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseConnection } from '../../database/connection.js';
import type { Logger } from '../../logging/logger.js';
import { DatabaseChild } from './database-child.js';
import { ownIdentity } from './process-identity.js';
import { makeSocketFolder, removeSocketFolder, socketPath, socketPort } from './socket-folder.js';

export interface EmbeddedDatabaseOptions {
  /** Folder that holds the database; the process that has it keeps others out. */
  readonly dataDir: string;
  /** Silence of a client in a transaction after which it is cut off; longer than any statement and any wait in one; ms. */
  readonly idleMs: number;
  /** Called once if the database cannot be kept running: the service cannot go on. */
  readonly onLost: (error: Error) => void;
}

/** In ms. */
export interface EmbeddedDatabaseTimes {
  readonly pingEvery: number;
  /** A single statement may keep the process silent for long. */
  readonly silence: number;
  readonly stopGrace: number;
  readonly restartDelay: number;
  /** Restarts are counted within this time. */
  readonly restartWindow: number;
}

export const embeddedDatabaseTimes: EmbeddedDatabaseTimes = {
  pingEvery: 5_000,
  silence: 120_000,
  stopGrace: 15_000,
  restartDelay: 200,
  restartWindow: 300_000,
};

const restartsAllowed = 5;

/**
 * PGlite with pgvector in a process of its own, behind a unix socket that only this user reaches. A process that is lost
 * is started again, a bounded number of times; whoever was connected sees a broken connection, as after a crash of a
 * server.
 */
export class EmbeddedDatabase {
  private readonly folder = makeSocketFolder();
  private child: DatabaseChild | undefined;
  private restarts: number[] = [];
  private readonly stopping = new AbortController();
  private watching: Promise<void> | undefined;
  private isUp = false;

  constructor(
    private readonly options: EmbeddedDatabaseOptions,
    private readonly logger: Logger,
    private readonly times: EmbeddedDatabaseTimes = embeddedDatabaseTimes,
  ) {}

  /** False while the process is being started again, and after it was lost for good. */
  get ready(): boolean {
    return this.isUp;
  }

  /** The number of the process, for operators and tests. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Opens the database, which is made if the folder has none.
   *
   * @throws StartRefusal if the folder is in use or cannot be written.
   */
  async start(): Promise<DatabaseConnection> {
    try {
      const child = await this.launch();
      this.watching = this.watch(child);
    } catch (error) {
      removeSocketFolder(this.folder);
      throw error;
    }
    const address = { host: this.folder, port: socketPort, user: 'postgres', database: 'postgres' };
    return { kind: 'pglite', address, poolSize: 1, preparedStatements: false };
  }

  /** Closes the database; to be called when nothing uses it any more. May be called twice. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.isUp = false;
    await this.child?.stop(this.times.stopGrace);
    await this.watching;
    removeSocketFolder(this.folder);
  }

  private async launch(): Promise<DatabaseChild> {
    const child = new DatabaseChild();
    this.child = child;
    const { dataDir, idleMs } = this.options;
    await child.open({ dataDir, idleMs, socket: socketPath(this.folder), owner: ownIdentity() });
    this.isUp = true;
    return child;
  }

  /** Ends when the database is stopped or lost. */
  private async watch(first: DatabaseChild): Promise<void> {
    let child = first;
    for (;;) {
      const silence = this.endIfSilent(child);
      const end = await child.ended;
      this.isUp = false;
      await silence;
      if (this.stopping.signal.aborted) return;
      this.logger.warn('the embedded database ended unexpectedly', { ...end });
      const next = await this.restart();
      if (!next) return;
      child = next;
    }
  }

  /** Kills a process that answers nothing any more; resolves when it has ended. */
  private async endIfSilent(child: DatabaseChild): Promise<void> {
    const ended = new AbortController();
    void child.ended.then(() => ended.abort());
    while (!ended.signal.aborted) {
      if (!(await child.answersWithin(this.times.silence)) && !ended.signal.aborted) {
        this.logger.warn('the embedded database does not answer and is ended', { silenceMs: this.times.silence });
        child.kill();
      }
      await pause(this.times.pingEvery, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  private async restart(): Promise<DatabaseChild | undefined> {
    for (;;) {
      const now = performance.now();
      this.restarts = [...this.restarts.filter((at) => at > now - this.times.restartWindow), now];
      if (this.restarts.length > restartsAllowed) return this.giveUp(new Error('the embedded database keeps ending'));
      const delay = this.times.restartDelay * 2 ** (this.restarts.length - 1);
      await pause(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return undefined;
      try {
        const child = await this.launch();
        this.logger.info('the embedded database runs again');
        return child;
      } catch (error) {
        this.logger.warn('the embedded database could not be started again', { error });
      }
    }
  }

  private giveUp(error: Error): undefined {
    this.options.onLost(error);
    return undefined;
  }
}
