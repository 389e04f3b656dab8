import type { Id, TenantId } from '../../domain/ids/id.js';
import { isLive, type TaskStatus } from '../../domain/task/task-status.js';
import type { Database } from '../database.js';
import type { TaskLogRow } from './task-log-repository.js';

/** A line of the log with the task and document that it is about. */
export interface FeedLine extends TaskLogRow {
  readonly taskId: Id;
  /** Null for the deletion of a whole base. */
  readonly documentId: Id | null;
}

/** A line with its place among the lines of all tasks. */
export interface CommittedLine extends FeedLine, CommitPosition {
  readonly knowledgeBaseId: Id;
}

/** After which line of one task a reader is; '0' before the first. */
export interface TaskPosition {
  readonly taskId: Id;
  readonly after: string;
}

/** What is new of one task, and whether more can come by itself. Both are of one moment. */
export interface TaskNews {
  readonly live: boolean;
  readonly lines: readonly FeedLine[];
}

/** After which line of all tasks a reader is: a transaction, and the last line of it ('0' for none). */
export interface CommitPosition {
  readonly writtenIn: string;
  readonly id: string;
}

/** How a reader's last line relates to a task. */
export interface ResumeFacts {
  readonly taskStatus: TaskStatus;
  readonly known: boolean;
  readonly newer: boolean;
}

const columns = `l.id, l.at, l.stage, l.event, l.actor, l.operator_id as "operatorId", l.metadata,
  t.id as "taskId", t.document_id as "documentId"`;

type TaskNewsRow = Omit<FeedLine, 'id'> & { n: number; taskStatus: TaskStatus; id: Id | null };

/** Reads the log for those who follow it. Within a task lines commit in the order of their ids: writers hold its row. */
export class TaskFeedRepository {
  constructor(private readonly database: Database) {}

  /** News for each position, in their order; undefined where the task is gone. At most `limit` lines each. */
  async newsOf(positions: readonly TaskPosition[], limit: number): Promise<(TaskNews | undefined)[]> {
    const rows = await this.database.query<TaskNewsRow>(
      `select p.n::int as n, t.task_status as "taskStatus", ${columns}
         from unnest($1::bigint[], $2::bigint[]) with ordinality as p (task_id, after, n)
         join task t on t.id = p.task_id
         left join lateral (select * from task_log where task_id = p.task_id and id > p.after order by id limit $3) l on true
        order by p.n, l.id`,
      [positions.map(({ taskId }) => taskId), positions.map(({ after }) => after), limit],
      'feed-tasks',
    );
    const news: ({ live: boolean; lines: FeedLine[] } | undefined)[] = positions.map(() => undefined);
    for (const { n, taskStatus, id, ...line } of rows) {
      const own = (news[n - 1] ??= { live: isLive(taskStatus), lines: [] });
      if (id !== null) own.lines.push({ ...line, id });
    }
    return news;
  }

  /** Undefined if there is no such task. */
  async resumeFacts(tenantId: TenantId, taskId: Id, lastLine: Id | undefined): Promise<ResumeFacts | undefined> {
    const [facts] = await this.database.query<ResumeFacts>(
      `select task_status as "taskStatus",
              exists (select 1 from task_log where task_id = t.id and id = $3::bigint) as known,
              exists (select 1 from task_log where task_id = t.id and id > $3::bigint) as newer
         from task t where id = $1 and tenant_id = $2`,
      [taskId, tenantId, lastLine ?? '0'],
    );
    return facts;
  }

  /**
   * The oldest transaction that is not over: lines of all before it are there to be read, or never will be. Those of
   * sessions on other databases of the server write no lines here and are passed over. It may be told as earlier than
   * it was before, never as later than it is.
   */
  async horizon(): Promise<string> {
    const [row] = await this.database.query<{ horizon: string }>(
      `select coalesce(
                (select x from pg_snapshot_xip(s) x
                  where not exists (
                    select 1 from pg_locks k join pg_stat_activity a on a.pid = k.pid
                     where k.locktype = 'transactionid' and k.mode = 'ExclusiveLock' and k.granted
                       and k.transactionid = x::xid
                       and a.datid <> (select oid from pg_database where datname = current_database()))
                  order by x limit 1),
                pg_snapshot_xmax(s))::text as horizon
         from (select pg_current_snapshot() as s) as snapshot`,
      [],
      'feed-horizon',
    );
    if (!row) throw new Error('the database gave no snapshot');
    return row.horizon;
  }

  /** Lines of all tasks after a position and before the horizon, in the order to follow them. */
  committedAfter({ writtenIn, id }: CommitPosition, horizon: string, limit: number): Promise<CommittedLine[]> {
    return this.database.query<CommittedLine>(
      `select ${columns}, l.written_in::text as "writtenIn", t.knowledge_base_id as "knowledgeBaseId"
         from (select * from task_log
                where (written_in, id) > ($1::xid8, $2::bigint) and written_in < $3::xid8
                order by written_in, id limit $4) l
         join task t on t.id = l.task_id
        order by l.written_in, l.id`,
      [writtenIn, id, horizon, limit],
      'feed-committed',
    );
  }

  /** Whether a position is a line of the base that is still kept. */
  async holds(knowledgeBaseId: Id, { writtenIn, id }: CommitPosition): Promise<boolean> {
    const rows = await this.database.query(
      `select 1 from task_log l join task t on t.id = l.task_id
        where l.id = $1 and l.written_in = $2::xid8 and t.knowledge_base_id = $3`,
      [id, writtenIn, knowledgeBaseId],
    );
    return rows.length === 1;
  }

  /**
   * Renumbers lines from another database server, as a restored dump brings them: transactions that this one has yet to
   * begin would hide them, and bring them up as news one day.
   */
  async adoptForeignLines(): Promise<number> {
    const rows = await this.database.query(
      'update task_log set written_in = default where written_in >= pg_snapshot_xmax(pg_current_snapshot()) returning 1',
    );
    return rows.length;
  }
}
