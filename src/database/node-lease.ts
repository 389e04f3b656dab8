import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { AppError } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import type { Id } from '../domain/ids/id.js';
import { maxNode, SnowflakeIds } from '../domain/ids/snowflake.js';
import { StartRefusal } from '../domain/start-refusal.js';
import type { Logger } from '../logging/logger.js';
import type { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';

/** In ms. */
export interface NodeLeaseTimes {
  /** How long a number is kept for a holder that is not heard of. */
  readonly lease: number;
  readonly beat: number;
}

export const nodeLeaseTimes: NodeLeaseTimes = { lease: 60_000, beat: 15_000 };

/** Of processes that start at once, all but one find the number that they chose taken. */
const triesToAcquire = 50;

/**
 * Gives ids from a node number that no other live process has: it is leased in the database, by the database's time. If
 * the lease runs out unrenewed no ids are given until there is another number, since somebody else may have this one.
 *
 * Ids take the database's time, too: whoever is newer has the higher id, whichever process made it, and a number that is
 * used again goes on behind the end of its last lease.
 */
export class NodeLease {
  /** The database's time, told again with every renewal. */
  readonly clock = new DatabaseClock();
  private readonly holder = randomUUID();
  private held: { readonly node: number; readonly ids: SnowflakeIds } | undefined;
  /** Both clocks must agree that the lease holds: one may step back, the other stands still while the machine sleeps. */
  private validUntil = { wall: 0, steady: 0 };
  private timer: NodeJS.Timeout | undefined;
  private askAtOnce: () => void = () => undefined;
  private beating: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    /** Of this machine. */
    private readonly wall: Clock,
    private readonly logger: Logger,
    private readonly times: NodeLeaseTimes = nodeLeaseTimes,
  ) {}

  /** The number that ids are given from now. */
  get node(): number | undefined {
    return this.held?.node;
  }

  /** @throws StartRefusal if all numbers are taken. */
  async start(): Promise<void> {
    if (!(await this.acquire())) {
      throw new StartRefusal(`All ${maxNode + 1} node numbers are taken: too many processes use this database.`);
    }
    this.timer = setInterval(() => void this.beat(), this.times.beat);
    this.timer.unref();
    // Ids are asked for inside of transactions, whose session is not for this.
    this.askAtOnce = AsyncResource.bind(() => void this.beat());
  }

  /** @throws AppError DATABASE_UNAVAILABLE while the lease is not certain. */
  next(): Id {
    const certain = this.wall.now() < this.validUntil.wall && performance.now() < this.validUntil.steady;
    if (!this.held || !certain) {
      // A clock that was set forward looks like a machine that slept: whether the lease holds, the database knows.
      this.askAtOnce();
      throw new AppError('DATABASE_UNAVAILABLE', 'The database did not renew what new ids need.');
    }
    return this.held.ids.next();
  }

  /** Renews the lease, or takes another number if somebody else has this one. One at a time; never rejects. */
  beat(): Promise<void> {
    this.beating ??= this.renewOrReplace()
      .catch((error: unknown) => this.logger.warn('the node number could not be renewed', { error }))
      .finally(() => (this.beating = undefined));
    return this.beating;
  }

  /** Gives the number back. May be called twice. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.askAtOnce = () => undefined;
    await this.beating;
    this.validUntil = { wall: 0, steady: 0 };
    if (!this.held) return;
    this.held = undefined;
    await this.database.query(
      'update node_lease set leased_until = clock_timestamp() where holder = $1 and leased_until > clock_timestamp()',
      [this.holder],
    );
  }

  private async renewOrReplace(): Promise<void> {
    if (await this.renew()) return;
    this.logger.warn('the node number was lost and is replaced', { node: this.node });
    this.validUntil = { wall: 0, steady: 0 };
    await this.acquire();
  }

  /** Also right for a lease that ran out: the row still names this holder, so nobody took the number meanwhile. */
  private async renew(): Promise<boolean> {
    const asked = this.now();
    const [row] = await this.database.query<{ nowMs: number }>(
      `update node_lease set leased_until = clock_timestamp() + $3::float8 * interval '1 ms'
        where node = $1 and holder = $2 returning ${nowMs}`,
      [this.held?.node ?? -1, this.holder, this.times.lease],
    );
    if (row) this.holdFrom(asked, row.nowMs);
    return row !== undefined;
  }

  private async acquire(): Promise<boolean> {
    for (let tries = 0; tries < triesToAcquire; tries += 1) {
      const asked = this.now();
      const [row] = await this.database.query<Acquired>(acquireSql, [this.holder, this.times.lease, maxNode]);
      if (row?.full) return false;
      if (row && row.node !== null) {
        this.held = { node: row.node, ids: new SnowflakeIds(row.node, () => this.clock.now()) };
        this.holdFrom(asked, row.nowMs);
        return true;
      }
    }
    return false;
  }

  /** Counts from before the question was sent: the database began to count later. */
  private holdFrom(asked: { wall: number; steady: number }, databaseMs: number): void {
    this.clock.set(databaseMs);
    this.validUntil = { wall: asked.wall + this.times.lease, steady: asked.steady + this.times.lease };
  }

  private now(): { wall: number; steady: number } {
    return { wall: this.wall.now(), steady: performance.now() };
  }
}

interface Acquired {
  /** Null when somebody else was faster. */
  readonly node: number | null;
  readonly full: boolean;
  readonly nowMs: number;
}

const nowMs = `extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`;

/** Numbers that nobody ever had come first, in no order, then the one that has rested longest. */
const acquireSql = `
  with free as (
    select n.node from generate_series(0, $3::int) as n (node) left join node_lease l on l.node = n.node
     where l.node is null or l.leased_until < clock_timestamp()
     order by l.leased_until nulls first, random() limit 1
  ), taken as (
    insert into node_lease as l (node, holder, leased_until)
    select node, $1, clock_timestamp() + $2::float8 * interval '1 ms' from free
    on conflict (node) do update set holder = excluded.holder, leased_until = excluded.leased_until
     where l.leased_until < clock_timestamp()
    returning node
  )
  select (select node from taken) as node, not exists (select from free) as full, ${nowMs}`;
