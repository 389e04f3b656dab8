import type { CarriedTrace } from '../../domain/carried-trace.js';
import { DeadLetterKind, DeadLetterState } from '../../domain/dead-letter.js';
import type { ErrorCode, FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { TaskPriority } from '../../domain/task/task-priority.js';
import type { TaskType } from '../../domain/task/task-type.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import type { Database, SqlRunner, TransactionContext } from '../database.js';
import { prioritySql } from '../priority-sql.js';

/** A message that nobody can read, cut to a bound. */
export interface DeadMessage {
  readonly tenantId: TenantId;
  /** The same for the same message, so that a repeated delivery makes no second letter. */
  readonly subject: string;
  readonly topic: string;
  readonly key: string | null;
  /** For people: what is no text is replaced. */
  readonly value: string | null;
  /** The bytes of a value that is no text; null where `value` says it all. */
  readonly rawValue: Buffer | null;
  /** Of the value before it was cut. */
  readonly valueBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string;
}

interface LetterFacts {
  readonly deadLetterId: Id;
  readonly reason: string;
  readonly state: DeadLetterState;
  readonly createdAt: Date;
  /** When it left OPEN. */
  readonly settledAt: Date | null;
  /** The person who asked for that, where one is known. */
  readonly settledBy: Id | null;
}

/** A letter about a task out of retries. */
export interface TaskLetter extends LetterFacts {
  readonly kind: typeof DeadLetterKind.Task;
  readonly taskId: Id;
  /** Null where a whole base was to be deleted. */
  readonly documentId: Id | null;
  readonly attempt: number;
  readonly code: ErrorCode;
}

/** A task that a letter was just written about, with what its message needs. */
export interface DeadTask {
  readonly letterId: Id;
  readonly id: Id;
  readonly tenantId: TenantId;
  /** Its document; the base's id where a whole base is deleted. */
  readonly documentId: Id;
  readonly planId: Id | null;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly retryCount: number;
  readonly trace: CarriedTrace | null;
  readonly attempt: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** A letter that holds a message. */
export interface MessageLetter extends LetterFacts, Omit<DeadMessage, 'tenantId' | 'subject'> {
  readonly kind: typeof DeadLetterKind.Message;
}

/** What a person makes of a letter. */
export interface Settlement {
  readonly tenantId: TenantId;
  readonly id: Id;
  readonly state: Exclude<DeadLetterState, typeof DeadLetterState.Open>;
  readonly operatorId: Id | undefined;
}

export type DeadLetter = TaskLetter | MessageLetter;

const columns = `id as "deadLetterId", kind, topic, key, value, raw_value as "rawValue", value_bytes as "valueBytes", headers, task_id as "taskId",
  document_id as "documentId", attempt, code, reason, state, created_at as "createdAt", settled_at as "settledAt",
  settled_by as "settledBy"`;

/** What is about the same thing as an open letter brings that letter up to date. */
const renewOpen = `on conflict (subject) where state = '${DeadLetterState.Open}'
  do update set reason = excluded.reason, code = excluded.code, attempt = excluded.attempt`;

/** Letters about what could not be done, until a person has it done again or lets it be. */
export class DeadLetterRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: { next(): Id },
  ) {}

  /** Part of the transaction that ends the task. */
  async addTask(tx: TransactionContext, taskId: Id, { code, message }: FailureRecord): Promise<DeadTask> {
    const [dead] = await tx.query<DeadTask>(
      `with letter as (
         insert into dead_letter (id, tenant_id, kind, subject, task_id, document_id, attempt, code, reason)
         select $2, tenant_id, '${DeadLetterKind.Task}', 'task ' || id, id, document_id, attempt, $3, $4
           from task where id = $1
         ${renewOpen}
         returning *
       )
       select l.id as "letterId", t.id, t.tenant_id as "tenantId", coalesce(t.document_id, t.knowledge_base_id) as "documentId",
              t.plan_id as "planId", t.task_type as "taskType", ${prioritySql('t')} as priority, t.retry_count as "retryCount", t.trace, l.attempt, l.code, l.reason
         from letter l join task t on t.id = l.task_id`,
      [taskId, this.ids.next(), code, message],
    );
    if (!dead) throw new Error(`task ${taskId} ended and is not there`);
    return dead;
  }

  async addMessage(message: DeadMessage): Promise<void> {
    const { tenantId, subject, topic, key, value, rawValue, valueBytes, headers, reason } = message;
    await this.database.query(
      `insert into dead_letter (id, tenant_id, kind, subject, topic, key, value, raw_value, value_bytes, headers, reason)
       values ($1, $2, '${DeadLetterKind.Message}', $3, $4, $5, $6, $7, $8, $9, $10)
       ${renewOpen}`,
      [this.ids.next(), tenantId, subject, topic, key, value, rawValue, valueBytes, JSON.stringify(headers), reason],
    );
  }

  /** Newest first. */
  async list(tenantId: TenantId, state: DeadLetterState | undefined, page: PageRequest): Promise<Page<DeadLetter>> {
    const rows = await this.database.query<DeadLetter>(
      `select ${columns} from dead_letter
        where tenant_id = $1 and ($2::text is null or state = $2) and ($3::bigint is null or id < $3)
        order by id desc limit $4`,
      [tenantId, state ?? null, page.after ?? null, page.limit + 1],
    );
    return pageOf(rows, page.limit, ({ deadLetterId }) => deadLetterId);
  }

  /** @param sql the open transaction, where there is one. */
  async find(tenantId: TenantId, id: Id, sql: SqlRunner = this.database): Promise<DeadLetter | undefined> {
    const [letter] = await sql.query<DeadLetter>(
      `select ${columns} from dead_letter where id = $1 and tenant_id = $2`,
      [id, tenantId],
    );
    return letter;
  }

  /** True for the one caller that takes the letter out of OPEN. */
  async settle({ tenantId, id, state, operatorId }: Settlement, sql: SqlRunner = this.database): Promise<boolean> {
    const rows = await sql.query(
      `update dead_letter set state = $3, settled_at = clock_timestamp(), settled_by = $4
        where id = $1 and tenant_id = $2 and state = '${DeadLetterState.Open}' returning 1`,
      [id, tenantId, state, operatorId ?? null],
    );
    return rows.length === 1;
  }

  /** Removes letters that were settled longer ago than `keepMs`, at most `limit`; gives how many. */
  async trim(keepMs: number, limit: number): Promise<number> {
    const rows = await this.database.query(
      `delete from dead_letter where id in (
         select id from dead_letter
          where state <> '${DeadLetterState.Open}' and settled_at < clock_timestamp() - $1 * interval '1 ms' limit $2)
       returning 1`,
      [keepMs, limit],
    );
    return rows.length;
  }
}
