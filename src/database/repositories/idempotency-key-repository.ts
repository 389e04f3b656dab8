import type { TenantId } from '../../domain/ids/id.js';
import type { Database, SqlRunner } from '../database.js';

/** A key in the hands of one run of its request; the claim tells it from every other run. */
export interface HeldKey {
  readonly tenantId: TenantId;
  readonly key: string;
  /** A UUID. */
  readonly claim: string;
}

/** In ms. */
export interface KeyTimes {
  /** How long a silent run keeps its key. */
  readonly leaseMs: number;
  /** How long a key means something. */
  readonly keepMs: number;
}

/** An answer as it was given. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What is known of a key. */
export interface KeptKey {
  readonly claim: string;
  readonly fingerprint: string;
  /** What the creating transaction gave; null while it is not committed. */
  readonly outcome: { readonly result: unknown } | null;
  readonly answer: KeptAnswer | null;
}

const answer = `case when status is not null then json_build_object('status', status, 'headers', headers, 'body', body) end as answer`;

/** The keys by which clients repeat requests. A key is claimed before anything is done, by one run at a time. */
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** True for the one run that may go on: the key is new, too old to mean anything, or left by a run that died. */
  async claim({ tenantId, key, claim }: HeldKey, fingerprint: string, times: KeyTimes): Promise<boolean> {
    const rows = await this.database.query(
      `insert into idempotency_key as k (tenant_id, key, fingerprint, claim, claimed_until)
       values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms')
       on conflict (tenant_id, key) do update
          set fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_until = excluded.claimed_until,
              outcome = null, status = null, headers = null, body = null, created_at = clock_timestamp()
        where k.created_at < clock_timestamp() - $6 * interval '1 ms'
           or (k.outcome is null and k.status is null and k.claimed_until < clock_timestamp())
       returning 1`,
      [tenantId, key, fingerprint, claim, times.leaseMs, times.keepMs],
      'idempotency-claim',
    );
    return rows.length === 1;
  }

  async find(tenantId: TenantId, key: string): Promise<KeptKey | undefined> {
    const [row] = await this.database.query<KeptKey>(
      `select claim, fingerprint, outcome, ${answer} from idempotency_key where tenant_id = $1 and key = $2`,
      [tenantId, key],
      'idempotency-find',
    );
    return row;
  }

  /** Keeps the key for a run that is alive. */
  async renew({ tenantId, key, claim }: HeldKey, leaseMs: number): Promise<void> {
    await this.database.query(
      `update idempotency_key set claimed_until = clock_timestamp() + $4 * interval '1 ms'
        where tenant_id = $1 and key = $2 and claim = $3`,
      [tenantId, key, claim, leaseMs],
    );
  }

  /** Part of the creating transaction. False if the run has lost its key: then nothing may be committed. */
  async record(tx: SqlRunner, { tenantId, key, claim }: HeldKey, result: unknown): Promise<boolean> {
    const rows = await tx.query(
      `update idempotency_key set outcome = $4
        where tenant_id = $1 and key = $2 and claim = $3 and outcome is null and status is null returning 1`,
      [tenantId, key, claim, JSON.stringify({ result })],
      'idempotency-record',
    );
    return rows.length === 1;
  }

  /** Keeps an answer; gives the one that is kept, which is the first. Undefined if the key belongs to another run. */
  async keep(
    { tenantId, key, claim }: HeldKey,
    { status, headers, body }: KeptAnswer,
  ): Promise<KeptAnswer | undefined> {
    const [row] = await this.database.query<{ answer: KeptAnswer }>(
      `update idempotency_key
          set status = coalesce(status, $4), headers = coalesce(headers, $5), body = coalesce(body, $6)
        where tenant_id = $1 and key = $2 and claim = $3 returning ${answer}`,
      [tenantId, key, claim, status, JSON.stringify(headers), JSON.stringify(body)],
      'idempotency-keep',
    );
    return row?.answer;
  }

  /** Frees the key after a run that failed. One that has committed something stays: a repetition goes on from there. */
  async letGo({ tenantId, key, claim }: HeldKey): Promise<void> {
    await this.database.query(
      `delete from idempotency_key
        where tenant_id = $1 and key = $2 and claim = $3 and outcome is null and status is null`,
      [tenantId, key, claim],
    );
  }

  /** Removes keys that mean nothing any more, oldest first; gives how many. */
  async trim(keepMs: number, limit: number): Promise<number> {
    const rows = await this.database.query(
      `delete from idempotency_key where (tenant_id, key) in (
         select tenant_id, key from idempotency_key where created_at < clock_timestamp() - $1 * interval '1 ms'
          order by created_at limit $2 for update skip locked)
       returning 1`,
      [keepMs, limit],
    );
    return rows.length;
  }
}
