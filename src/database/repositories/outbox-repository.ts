import type { Id } from '../../domain/ids/id.js';
import type { Database, TransactionContext } from '../database.js';

/** States of an outbox row; internal, never answered. */
export const OutboxStatus = { Pending: 1, Sent: 2, Failed: 3 } as const;

/** A message as the outbox keeps it; what it means is the sender's business. */
export interface OutboxMessage {
  readonly topic: string;
  /** Its aggregate: rows of one key are sent in the order of their ids. */
  readonly key: Id;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PendingMessage extends OutboxMessage {
  readonly id: Id;
  readonly tries: number;
}

/** Messages that are stored with what they tell of, and sent afterwards. */
export class OutboxRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: { next(): Id },
  ) {}

  /** Part of the caller's transaction: the messages exist exactly if it commits. */
  async append(tx: TransactionContext, messages: readonly OutboxMessage[]): Promise<void> {
    const rows = messages.map(({ topic, key, value, headers }) => ({
      id: this.ids.next(),
      tenant: headers['x-tenant-id'] ?? '0',
      topic,
      key,
      value,
      headers,
    }));
    await tx.query(
      `insert into outbox (id, tenant_id, aggregate_id, topic, payload, headers)
       select r.id, r.tenant, r.key, r.topic, r.value, r.headers
         from json_to_recordset($1::json) as r (id bigint, tenant bigint, key bigint, topic text, value jsonb, headers jsonb)`,
      [JSON.stringify(rows)],
    );
  }

  /**
   * Locks rows that are due until the transaction ends, oldest first. A row is left out while an earlier one of its
   * aggregate is pending, also if that one is in another relay's hands: visible is what is committed, not who is quicker.
   */
  lockDue(tx: TransactionContext, limit: number): Promise<PendingMessage[]> {
    return tx.query<PendingMessage>(
      `select id, aggregate_id as key, topic, payload as value, headers, tries from outbox o
        where status = ${OutboxStatus.Pending} and next_try_at <= clock_timestamp()
          and not exists (select 1 from outbox e where e.status = ${OutboxStatus.Pending}
                                                   and e.aggregate_id = o.aggregate_id and e.id < o.id)
        order by id limit $1 for update skip locked`,
      [limit],
      'outbox-lock',
    );
  }

  /** Locks one row if it is still pending; nothing when another relay has it. */
  async lockOne(tx: TransactionContext, id: Id): Promise<PendingMessage | undefined> {
    const [row] = await tx.query<PendingMessage>(
      `select id, aggregate_id as key, topic, payload as value, headers, tries from outbox
        where id = $1 and status = ${OutboxStatus.Pending} for update skip locked`,
      [id],
    );
    return row;
  }

  async markSent(tx: TransactionContext, ids: readonly Id[]): Promise<void> {
    await tx.query(
      `update outbox set status = ${OutboxStatus.Sent}, sent_at = clock_timestamp() where id = any($1)`,
      [ids],
      'outbox-sent',
    );
  }

  /** The row stays pending and is due again later. */
  async postpone(tx: TransactionContext, id: Id, tries: number, delayMs: number, reason: string): Promise<void> {
    await tx.query(
      `update outbox set tries = $2, next_try_at = clock_timestamp() + $3 * interval '1 ms', last_error = $4
        where id = $1 and status = ${OutboxStatus.Pending}`,
      [id, tries, delayMs, reason],
    );
  }

  /** The same for many that are not to blame: their tries stay as they are. */
  async postponeAll(tx: TransactionContext, ids: readonly Id[], delayMs: number, reason: string): Promise<void> {
    await tx.query(
      `update outbox set next_try_at = clock_timestamp() + $2 * interval '1 ms', last_error = $3
        where id = any($1) and status = ${OutboxStatus.Pending}`,
      [ids, delayMs, reason],
      'outbox-postpone',
    );
  }

  /** The row is set aside for a person; later rows of its aggregate go on. */
  async fail(tx: TransactionContext, id: Id, tries: number, reason: string): Promise<void> {
    await tx.query(
      `update outbox set status = ${OutboxStatus.Failed}, tries = $2, last_error = $3
        where id = $1 and status = ${OutboxStatus.Pending}`,
      [id, tries, reason],
    );
  }

  /** Removes sent rows that are older than `keepMs`, at most `limit`; gives how many. */
  async trim(keepMs: number, limit: number): Promise<number> {
    const rows = await this.database.query(
      `delete from outbox where id in (
         select id from outbox where status = ${OutboxStatus.Sent} and sent_at < clock_timestamp() - $1 * interval '1 ms'
          limit $2)
       returning 1`,
      [keepMs, limit],
    );
    return rows.length;
  }
}
