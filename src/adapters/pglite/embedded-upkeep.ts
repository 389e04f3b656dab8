import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';

export interface EmbeddedUpkeepCounts {
  readonly vacuumed: number;
  readonly analysed: number;
  readonly checkpoints: number;
}

const intervalMs = 60_000;

/** As PostgreSQL's own autovacuum decides: so many rows and this share of the table. */
const vacuumFrom = { rows: 50, share: 0.2 };
const analyseFrom = { rows: 50, share: 0.1 };

/** What a crash has to read again at most, about. */
const logBytes = 64 * 1024 * 1024;

interface Worn {
  readonly table: string;
  readonly vacuum: boolean;
}

/**
 * Does for the embedded database what a server's own background processes do: without them its log and the rows that no
 * longer count would grow for ever, and its planner would know nothing of the tables.
 */
export class EmbeddedUpkeep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.runLater(), intervalMs);
    this.timer.unref();
  }

  /** Waits for the pass in flight. May be called twice. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One table at a time, so that other callers get their turn in between. */
  async runOnce(): Promise<EmbeddedUpkeepCounts> {
    const worn = await this.database.query<Worn>(wornSql, [
      vacuumFrom.rows,
      vacuumFrom.share,
      analyseFrom.rows,
      analyseFrom.share,
    ]);
    for (const { table, vacuum } of worn) {
      await this.database.query(vacuum ? `vacuum (analyze) ${table}` : `analyze ${table}`);
    }
    const vacuumed = worn.filter((each) => each.vacuum).length;
    return { vacuumed, analysed: worn.length - vacuumed, checkpoints: await this.shortenLog() };
  }

  private async shortenLog(): Promise<number> {
    const [log] = await this.database.query<{ long: boolean }>(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > $1 as long from pg_control_checkpoint()',
      [logBytes],
    );
    if (!log?.long) return 0;
    await this.database.query('checkpoint');
    return 1;
  }

  private runLater(): void {
    this.running ??= this.runOnce()
      .then((counts) => this.logger.debug('the embedded database was tidied', { ...counts }))
      .catch((error: unknown) => this.logger.warn('the embedded database could not be tidied', { error }))
      .finally(() => (this.running = undefined));
  }
}

/** Names are quoted by the database itself. */
const wornSql = `
  select format('%I.%I', schemaname, relname) as table, n_dead_tup > $1::int + $2::float8 * n_live_tup as vacuum
    from pg_stat_user_tables
   where n_dead_tup > $1::int + $2::float8 * n_live_tup or n_mod_since_analyze > $3::int + $4::float8 * n_live_tup
   order by relid`;
