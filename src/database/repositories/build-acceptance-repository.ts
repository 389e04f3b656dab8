import type { BuildSpec } from '../../domain/build-spec.js';
import { IndexStatus } from '../../domain/document/index-status.js';
import type { ParseStatus } from '../../domain/document/parse-status.js';
import type { StrategyStatus } from '../../domain/document/strategy-status.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { PlanStatus } from '../../domain/plan/plan-status.js';
import type { PlanStep } from '../../domain/plan/strategy.js';
import { freshStages } from '../../domain/task/progress.js';
import { stagesOf } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { Actor, indexTaskTypes } from '../../domain/task/task-type.js';
import type { SqlRunner, TransactionContext } from '../database.js';
import { staleSql } from './document-view.js';
import type { NewTask } from './task-repository.js';

/** What the four checks look at: the document, the plan that was asked for (if it is the document's), the live task. */
export interface BuildFacts {
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly parseStatus: ParseStatus;
  readonly strategyStatus: StrategyStatus;
  readonly currentPlanId: Id | null;
  readonly textRevision: number;
  readonly sourceHash: string;
  readonly plan: {
    readonly planStatus: PlanStatus;
    readonly deleted: boolean;
    readonly strategySnapshot: string;
    readonly textRevision: number;
    readonly steps: readonly PlanStep[];
  } | null;
  readonly liveTaskId: Id | null;
}

/** The same of a document of a batch, for its current plan. */
export interface RebuildFacts extends BuildFacts {
  readonly deleted: boolean;
  /** Nothing is served, or source, plan or model moved on since. */
  readonly outOfDate: boolean;
}

/** An index task as acceptance writes it: all of an index task's fields are there. */
export type NewIndexTask = NewTask &
  Required<Pick<NewTask, 'documentId' | 'planId' | 'strategySnapshot' | 'buildSpec'>> & {
    /** The batch it belongs to. */
    readonly batchId?: Id;
  };

interface FactsOf {
  /** Which documents; rows are locked where it says so. */
  readonly documents: string;
  readonly plan: string;
  readonly more?: string;
}

const factsSql = ({ documents, plan, more = '' }: FactsOf): string => `
  with d as materialized (
    select id, tenant_id, knowledge_base_id, parse_status, strategy_status, current_plan_id, text_revision, source_hash,
           active_version_id, deleted_at
      from document where tenant_id = $2 and ${documents}
  )
  select d.id as "documentId", d.knowledge_base_id as "knowledgeBaseId", d.parse_status as "parseStatus",
         d.strategy_status as "strategyStatus", d.current_plan_id as "currentPlanId",
         d.text_revision as "textRevision", d.source_hash as "sourceHash",
         case when p.id is not null then jsonb_build_object(
           'planStatus', p.plan_status, 'deleted', p.status = 0, 'strategySnapshot', p.strategy_snapshot,
           'textRevision', p.text_revision,
           'steps', (select jsonb_agg(jsonb_build_object('level', s.level, 'strategy', s.strategy, 'params', s.params)
                                      order by s.step_no)
                       from strategy_step s where s.plan_id = p.id)) end as plan,
         (select t.id from task t
           where t.document_id = d.id and t.task_type in (${indexTaskTypes.join(', ')})
             and t.task_status in (${TaskStatus.New}, ${TaskStatus.Running}, ${TaskStatus.Retrying})
           limit 1) as "liveTaskId" ${more}
    from d left join strategy_plan p on p.id = ${plan} and p.document_id = d.id and p.tenant_id = d.tenant_id`;

const readFacts = factsSql({ documents: 'id = $1 and deleted_at is null', plan: '$3' });
const lockFacts = factsSql({ documents: 'id = $1 and deleted_at is null for no key update', plan: '$3' });
const rebuildFacts = factsSql({
  documents: 'id = any($1)',
  plan: 'd.current_plan_id',
  more: `, d.deleted_at is not null as deleted,
         not exists (select 1 from index_version v join knowledge_base b on b.id = d.knowledge_base_id
                      where v.id = d.active_version_id and not ${staleSql}) as "outOfDate"`,
});

/** The statements of accepting builds. */
export class BuildAcceptanceRepository {
  /** Facts as they are now, without a lock. Null for an unknown or deleted document. */
  async read(sql: SqlRunner, tenantId: TenantId, documentId: Id, planId: Id): Promise<BuildFacts | null> {
    const [facts] = await sql.query<BuildFacts>(readFacts, [documentId, tenantId, planId], 'build-facts');
    return facts ?? null;
  }

  /**
   * Locks the document until the transaction ends and gives the facts. If another transaction held the lock, the
   * document is fresh but plan and task are as they were when the statement began: read again before refusing.
   */
  async lock(tx: TransactionContext, tenantId: TenantId, documentId: Id, planId: Id): Promise<BuildFacts | null> {
    const [facts] = await tx.query<BuildFacts>(lockFacts, [documentId, tenantId, planId], 'build-lock');
    return facts ?? null;
  }

  /**
   * Locks documents, deleted ones too, in the order of their ids, and gives the facts of those that there are. They are
   * read after the last lock was had, so that they need no second look.
   */
  async lockAll(tx: TransactionContext, tenantId: TenantId, documentIds: readonly Id[]): Promise<RebuildFacts[]> {
    await tx.query('select 1 from document where id = any($1) and tenant_id = $2 order by id for no key update', [
      documentIds,
      tenantId,
    ]);
    return tx.query<RebuildFacts>(rebuildFacts, [documentIds, tenantId], 'rebuild-facts');
  }

  /**
   * Inserts the task, moves the document to BUILDING and writes the START line, all or nothing. The document must be
   * locked and have no live index task, so it may come from any status: BUILDING without a live task is drift.
   *
   * A unique violation of `task_one_live_index` means that another index task is live.
   */
  async accept(tx: TransactionContext, task: NewIndexTask, spec: BuildSpec): Promise<void> {
    const rows = await tx.query(
      `with t as (
         insert into task (id, tenant_id, document_id, knowledge_base_id, plan_id, task_type, task_status, current_stage,
                           trigger_source, operator_id, strategy_snapshot, build_spec, stages, max_retry_count, batch_id, priority,
                           trace)
         values ($1, $2, $3, $4, $5, $6, ${TaskStatus.New}, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         returning id
       ), d as (
         update document set index_status = ${IndexStatus.Building}, updated_at = now()
          where id = $3 returning id
       ), l as (
         insert into task_log (tenant_id, task_id, stage, event, actor, operator_id, metadata)
         select $2, t.id, $7, '${TaskEvent.Start}', $8, $9, jsonb_build_object('planId', $5::text, 'strategySnapshot', $10::text)
           from t returning id
       )
       select 1 from t, d, l`,
      [
        task.id,
        task.tenantId,
        task.documentId,
        task.knowledgeBaseId,
        task.planId,
        task.taskType,
        task.currentStage,
        task.triggerSource,
        task.operatorId ?? null,
        task.strategySnapshot,
        JSON.stringify(spec),
        JSON.stringify(freshStages(stagesOf(task.taskType))),
        task.maxRetryCount,
        task.batchId ?? null,
        task.priority,
        JSON.stringify(task.trace),
      ],
      'build-accept',
    );
    if (rows.length !== 1) throw new Error(`document ${task.documentId} was not there to move to BUILDING`);
    tx.taskChanged({ tenantId: task.tenantId, taskId: task.id });
  }
}

/** True for the violation that means "another index task of the document is live". */
export function isLiveIndexTaskConflict(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'task_one_live_index';
}

/** The actor that an optional operator stands for. */
export function actorOf(operatorId: Id | undefined): Actor {
  return operatorId ? Actor.User : Actor.System;
}
