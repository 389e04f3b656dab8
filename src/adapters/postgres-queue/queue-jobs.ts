import type { Database } from '../../database/database.js';
import { queueSchema } from './boss-on.js';

/** A message as pg-boss keeps it, in the hands of this process until its hold ends. */
export interface QueueJob {
  readonly id: string;
  readonly queue: string;
  readonly key: string | null;
  readonly data: unknown;
  /** Deliveries before this one; with the id it names this hold. */
  readonly earlier: number;
}

const job = `${queueSchema}.job`;

/**
 * Among what a statement returns: nobody waits for the disk when it commits. A database that crashes may forget then that
 * a message was taken or done with, and gives it once more, which does no harm.
 */
const unhurried = `set_config('synchronous_commit', 'off', true)`;

/**
 * Takes messages from the queues in order per key, which pg-boss' own fetch does not: a message waits while an earlier one
 * of its key is there, be it in hand or put off. Within a key the ids tell the order, because they are given when a
 * message is sent; the time on a row is that of its transaction's beginning. A message whose holder fell silent is taken
 * again.
 */
export class QueueJobs {
  constructor(private readonly database: Database) {}

  /** True when a message lies in one of the queues, ready or not: one cheap statement for many looks in vain. */
  async isAny(queues: readonly string[]): Promise<boolean> {
    const sql = `select 1 from ${job} where name = any($1) and state <= 'active' limit 1`;
    return (await this.database.query(sql, [queues], 'queue-is-any')).length > 0;
  }

  /** How many messages lie in each of the queues, ready or not; queues without any are not there. */
  async count(queues: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql = `select name, count(*)::int as count from ${job} where name = any($1) and state <= 'active' group by name`;
    const rows = await this.database.query<{ name: string; count: number }>(sql, [queues]);
    return new Map(rows.map(({ name, count }) => [name, count]));
  }

  async takeNext(queue: string): Promise<QueueJob | undefined> {
    const [row] = await this.database.query<Omit<QueueJob, 'queue'>>(
      `with head as (
         select j.id from ${job} j
          where j.name = $1 and j.state <= 'active'
            and case when j.state = 'active' then j.started_on + j.expire_in <= now() else j.start_after <= now() end
            and not exists (select 1 from ${job} e
                             where e.name = $1 and e.singleton_key = j.singleton_key
                               and e.state <= 'active' and e.id < j.id)
          order by j.created_on, j.id limit 1
          for update of j skip locked)
       update ${job} j
          set state = 'active', started_on = now(),
              retry_count = j.retry_count + case when j.started_on is null then 0 else 1 end
         from head where j.name = $1 and j.id = head.id
       returning j.id, j.singleton_key as key, j.data, j.retry_count as earlier, ${unhurried}`,
      [queue],
      'queue-take',
    );
    return row && { queue, id: row.id, key: row.key, data: row.data, earlier: row.earlier };
  }

  /** Done with. */
  async end({ queue, id }: QueueJob): Promise<void> {
    const sql = `delete from ${job} where name = $1 and id = $2 returning ${unhurried}`;
    await this.database.query(sql, [queue, id], 'queue-end');
  }

  /** The hold begins anew. Nothing happens to a message that is no longer held. */
  async hold({ queue, id, earlier }: QueueJob): Promise<void> {
    await this.database.query(
      `update ${job} set started_on = now()
        where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
      [queue, id, earlier],
      'queue-hold',
    );
  }

  /** Due again after `delayMs`; nothing happens to a message that is no longer held. */
  async putOff({ queue, id, earlier }: QueueJob, delayMs: number): Promise<void> {
    await this.database.query(
      `update ${job} set state = 'retry', start_after = now() + $4 * interval '1 ms'
        where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
      [queue, id, earlier, delayMs],
      'queue-put-off',
    );
  }
}
