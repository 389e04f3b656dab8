import type { Id } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import type { Stage } from '../../domain/task/stage.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import type { TaskType } from '../../domain/task/task-type.js';
import type { Database } from '../database.js';

/** A worker process, as it tells of itself. */
export interface WorkerCard {
  readonly id: Id;
  readonly host: string;
  readonly pid: number;
  /** Group → tasks that it works on at once. */
  readonly slots: Readonly<Record<string, number>>;
}

/** A task in a worker's hands. */
export interface HeldTask {
  readonly taskId: Id;
  /** Null for the deletion of a whole base. */
  readonly documentId: Id | null;
  readonly taskType: TaskType;
  readonly currentStage: Stage;
  readonly attempt: number;
  /** ms since 1970; until then nobody else takes it. */
  readonly leaseUntilMs: number;
}

export interface WorkerRow extends WorkerCard {
  readonly startedAt: Date;
  readonly aliveUntil: Date;
  readonly alive: boolean;
  readonly holds: readonly HeldTask[];
}

/** Which worker processes there are. Alive is who said so lately, by the database's time. */
export class WorkerRepository {
  constructor(private readonly database: Database) {}

  /** The worker is alive for `aliveMs` from now. */
  async beat({ id, host, pid, slots }: WorkerCard, aliveMs: number): Promise<void> {
    await this.database.query(
      `insert into worker (id, host, pid, slots, alive_until)
       values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms')
       on conflict (id) do update set alive_until = excluded.alive_until`,
      [id, host, pid, JSON.stringify(slots), aliveMs],
      'worker-beat',
    );
  }

  async leave(id: Id): Promise<void> {
    await this.database.query('delete from worker where id = $1', [id]);
  }

  /** Forgets workers that have been silent for longer than `ms`. */
  async forgetSilent(ms: number): Promise<void> {
    await this.database.query(`delete from worker where alive_until < clock_timestamp() - $1 * interval '1 ms'`, [ms]);
  }

  /** How many workers are alive in each group; a group that nobody works in is not there. */
  async aliveByGroup(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ group: string; count: number }>(
      `select key as "group", count(*)::int as count from worker, jsonb_object_keys(slots) as key
        where alive_until > clock_timestamp() group by key`,
    );
    return new Map(rows.map(({ group, count }) => [group, count]));
  }

  /** Oldest first, with what each holds. */
  async list({ limit, after }: PageRequest): Promise<Page<WorkerRow>> {
    const rows = await this.database.query<WorkerRow>(
      `select id, host, pid, slots, started_at as "startedAt", alive_until as "aliveUntil",
              alive_until > clock_timestamp() as alive,
              coalesce((select jsonb_agg(jsonb_build_object(
                         'taskId', t.id::text, 'documentId', t.document_id::text, 'taskType', t.task_type,
                         'currentStage', t.current_stage, 'attempt', t.attempt,
                         'leaseUntilMs', extract(epoch from t.lease_until) * 1000) order by t.id)
                 from task t where t.task_status = ${TaskStatus.Running} and t.worker_id = worker.id::text), '[]') as holds
         from worker where id > $1 order by id limit $2`,
      [after ?? '0', limit + 1],
    );
    return pageOf(rows, limit, ({ id }) => id);
  }
}
