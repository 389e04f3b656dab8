import { sourcesOf } from '../../domain/coded-value.js';
import type { ParseStatus } from '../../domain/document/parse-status.js';
import { StrategyStatus, strategyStatusMoves } from '../../domain/document/strategy-status.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { PlanStatus, planStatusMoves, type PlanSource } from '../../domain/plan/plan-status.js';
import type { PlanFeatures, PlanReason } from '../../domain/plan/recommendation.js';
import { type ExecuteStatus, executeStatusMoves } from '../../domain/plan/step-status.js';
import { snapshotOf } from '../../domain/plan/strategy-snapshot.js';
import type { Level, PlanStep } from '../../domain/plan/strategy.js';
import type { Database, TransactionContext } from '../database.js';

/** What planning must know of a document that is not deleted. */
export interface PlannedDocument {
  readonly documentId: Id;
  readonly parseStatus: ParseStatus;
  readonly strategyStatus: StrategyStatus;
  readonly currentPlanId: Id | null;
  /** 0 while it has never been parsed. */
  readonly textRevision: number;
}

/** A plan as it is first stored: unconfirmed, with complete steps. */
export interface NewPlan {
  readonly planId: Id;
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly source: PlanSource;
  readonly textRevision: number;
  readonly steps: readonly PlanStep[];
  readonly features: PlanFeatures;
  readonly reasons: readonly PlanReason[];
  readonly basedOn?: Id;
  readonly createdBy?: Id;
}

export interface StoredStep extends PlanStep {
  /** Position in the plan, from 1. */
  readonly stepNo: number;
  readonly executeStatus: ExecuteStatus;
}

/** A plan as it is stored, with its steps in order. */
export interface StoredPlan {
  readonly planId: Id;
  readonly documentId: Id;
  /** Version among the plans of its document, from 1. */
  readonly planNo: number;
  readonly planStatus: PlanStatus;
  readonly source: PlanSource;
  readonly strategySnapshot: string;
  readonly textRevision: number;
  readonly steps: readonly StoredStep[];
  readonly features: PlanFeatures;
  readonly reasons: readonly PlanReason[];
  readonly basedOn: Id | null;
  readonly createdBy: Id | null;
  readonly createdAt: Date;
  readonly confirmedBy: Id | null;
  readonly confirmedAt: Date | null;
}

const documentColumns = `id as "documentId", parse_status as "parseStatus", strategy_status as "strategyStatus",
  current_plan_id as "currentPlanId", text_revision as "textRevision"`;

const planColumns = `p.id as "planId", p.document_id as "documentId", p.plan_no as "planNo",
  p.plan_status as "planStatus", p.source, p.strategy_snapshot as "strategySnapshot",
  p.text_revision as "textRevision", p.features, p.reasons, p.based_on as "basedOn", p.created_by as "createdBy",
  p.created_at as "createdAt", p.confirmed_by as "confirmedBy", p.confirmed_at as "confirmedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('stepNo', s.step_no, 'level', s.level, 'strategy', s.strategy,
                                                'params', s.params, 'executeStatus', s.execute_status)
                             order by s.step_no), '[]')
     from strategy_step s where s.plan_id = p.id) as steps`;

/** Plans with their steps, and the document's pointer to the current one. Every look-up names the tenant. */
export class PlanRepository {
  constructor(private readonly database: Database) {}

  /** The document as it is now, without a lock; undefined if it is unknown or deleted. */
  async findDocument(tenantId: TenantId, documentId: Id): Promise<PlannedDocument | undefined> {
    const [row] = await this.database.query<PlannedDocument>(
      `select ${documentColumns} from document where id = $1 and tenant_id = $2 and deleted_at is null`,
      [documentId, tenantId],
    );
    return row;
  }

  /**
   * Locks the document row until the transaction ends: the lock that accepting a build takes too. Plans that are read
   * afterwards in the same transaction cannot change under it.
   */
  async lockDocument(tx: TransactionContext, tenantId: TenantId, documentId: Id): Promise<PlannedDocument | undefined> {
    const [row] = await tx.query<PlannedDocument>(
      `select ${documentColumns} from document where id = $1 and tenant_id = $2 and deleted_at is null for no key update`,
      [documentId, tenantId],
    );
    return row;
  }

  /** A plan that is not deleted, of a document that is not deleted. */
  async find(tenantId: TenantId, planId: Id, tx?: TransactionContext): Promise<StoredPlan | undefined> {
    const [row] = await (tx ?? this.database).query<StoredPlan>(
      `select ${planColumns} from strategy_plan p join document d on d.id = p.document_id
        where p.id = $1 and p.tenant_id = $2 and p.status = 1 and d.deleted_at is null`,
      [planId, tenantId],
    );
    return row;
  }

  /** A plan that the transaction wrote, or found under the document's lock; that it is missing would be a bug. */
  async get(tx: TransactionContext, tenantId: TenantId, planId: Id): Promise<StoredPlan> {
    const plan = await this.find(tenantId, planId, tx);
    if (!plan) throw new Error(`plan ${planId} is gone in the middle of a transaction`);
    return plan;
  }

  /** Plans of a document, newest first. Their key in pages is the plan number. */
  async list(tenantId: TenantId, documentId: Id, page: PageRequest): Promise<Page<StoredPlan>> {
    const rows = await this.database.query<StoredPlan>(
      `select ${planColumns} from strategy_plan p
        where p.document_id = $1 and p.tenant_id = $2 and p.status = 1 and ($3::bigint is null or p.plan_no < $3)
        order by p.plan_no desc limit $4`,
      [documentId, tenantId, page.after ?? null, page.limit + 1],
    );
    return pageOf(rows, page.limit, (plan) => String(plan.planNo));
  }

  /** Features of the newest plan that was made for a text revision. */
  async featuresOf(tenantId: TenantId, documentId: Id, textRevision: number): Promise<PlanFeatures | undefined> {
    const [row] = await this.database.query<{ features: PlanFeatures }>(
      `select features from strategy_plan
        where document_id = $1 and tenant_id = $2 and text_revision = $3 and status = 1
        order by plan_no desc limit 1`,
      [documentId, tenantId, textRevision],
    );
    return row?.features;
  }

  /**
   * Stores a plan under the next number and makes it the document's current one, waiting for a person. The caller holds
   * the document's lock, so that numbers have no gap and no two plans are current.
   */
  async insertCurrent(tx: TransactionContext, plan: NewPlan): Promise<void> {
    const rows = await tx.query(
      `with plan as (
         insert into strategy_plan (id, tenant_id, document_id, plan_no, plan_status, source, strategy_snapshot,
                                    text_revision, features, reasons, based_on, created_by)
         select $1, $2, $3, coalesce(max(plan_no), 0) + 1, ${PlanStatus.WaitConfirm}, $4, $5, $6, $7, $8, $9, $10
           from strategy_plan where document_id = $3
         returning id
       ), steps as (
         insert into strategy_step (plan_id, step_no, tenant_id, level, strategy, params)
         select plan.id, step.no, $2, step.value->>'level', (step.value->>'strategy')::smallint, step.value->'params'
           from plan, jsonb_array_elements($11::jsonb) with ordinality as step(value, no)
       )
       update document set current_plan_id = plan.id, strategy_status = ${StrategyStatus.Recommended}, updated_at = now()
         from plan
        where document.id = $3 and tenant_id = $2 and deleted_at is null and strategy_status = any($12)
        returning document.id`,
      [
        plan.planId,
        plan.tenantId,
        plan.documentId,
        plan.source,
        snapshotOf(plan.steps),
        plan.textRevision,
        JSON.stringify(plan.features),
        JSON.stringify(plan.reasons),
        plan.basedOn ?? null,
        plan.createdBy ?? null,
        JSON.stringify(plan.steps),
        sourcesOf(strategyStatusMoves, StrategyStatus.Recommended),
      ],
    );
    if (rows.length !== 1) throw new Error(`document ${plan.documentId} could not take plan ${plan.planId}`);
  }

  /**
   * Moves the document's current plan from WAIT_CONFIRM to CONFIRMED, the document to CONFIRMED, and every earlier plan
   * of it that is not SUPERSEDED yet to SUPERSEDED. The caller holds the document's lock and has looked at both.
   */
  async confirm(
    tx: TransactionContext,
    tenantId: TenantId,
    plan: StoredPlan,
    operatorId: Id | undefined,
  ): Promise<void> {
    const rows = await tx.query(
      `with earlier as (
         update strategy_plan set plan_status = ${PlanStatus.Superseded}
          where document_id = $1 and tenant_id = $2 and plan_no < $5 and plan_status = any($6)
       ), plan as (
         update strategy_plan set plan_status = ${PlanStatus.Confirmed}, confirmed_by = $4, confirmed_at = now()
          where id = $3 and tenant_id = $2 and status = 1 and plan_status = any($7)
         returning id
       )
       update document set strategy_status = ${StrategyStatus.Confirmed}, updated_at = now()
         from plan
        where document.id = $1 and tenant_id = $2 and deleted_at is null and current_plan_id = plan.id
          and strategy_status = any($8)
        returning document.id`,
      [
        plan.documentId,
        tenantId,
        plan.planId,
        operatorId ?? null,
        plan.planNo,
        sourcesOf(planStatusMoves, PlanStatus.Superseded),
        sourcesOf(planStatusMoves, PlanStatus.Confirmed),
        sourcesOf(strategyStatusMoves, StrategyStatus.Confirmed),
      ],
    );
    if (rows.length !== 1) throw new Error(`plan ${plan.planId} could not be confirmed`);
  }

  /**
   * Moves the steps of one level, or all, as a build goes on. A step that is there already stays, because every stage
   * may run twice; a step that may not move makes the transaction fail.
   */
  async markSteps(
    tx: TransactionContext,
    tenantId: TenantId,
    planId: Id,
    level: Level | 'ALL',
    status: ExecuteStatus,
  ): Promise<void> {
    const [counts] = await tx.query<{ meant: number; moved: number }>(
      `with moved as (
         update strategy_step set execute_status = $4
          where plan_id = $1 and tenant_id = $2 and ($3 = 'ALL' or level = $3)
            and (execute_status = $4 or execute_status = any($5))
         returning step_no
       )
       select (select count(*)::int from moved) as moved,
              (select count(*)::int from strategy_step
                where plan_id = $1 and tenant_id = $2 and ($3 = 'ALL' or level = $3)) as meant`,
      [planId, tenantId, level, status, sourcesOf(executeStatusMoves, status)],
    );
    if (!counts || counts.meant === 0 || counts.moved !== counts.meant) {
      throw new Error(`steps ${level} of plan ${planId} could not move to ${status}`);
    }
  }
}
