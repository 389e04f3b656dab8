import type { ConfirmPlan } from '../../plans/confirm-plan.js';
import type { EditPlan } from '../../plans/edit-plan.js';
import type { PreviewPlan } from '../../plans/preview-plan.js';
import type { ReadPlans } from '../../plans/read-plans.js';
import type { RecommendPlan } from '../../plans/recommend-plan.js';
import { created, ok } from '../answer.js';
import {
  ConfirmPlanRequest,
  EditPlanRequest,
  PreviewPlanQuery,
  PreviewPlanRequest,
  RecommendPlanRequest,
} from '../requests/plan-requests.js';
import { json, optionalJson, route, type Route } from '../route.js';
import { PlanView, planView } from '../views/plan-view.js';
import { previewView, PreviewView } from '../views/preview-view.js';

export interface PlanUseCases {
  readonly recommendPlan: Pick<RecommendPlan, 'recommend'>;
  readonly editPlan: Pick<EditPlan, 'edit'>;
  readonly confirmPlan: Pick<ConfirmPlan, 'confirm'>;
  readonly previewPlan: Pick<PreviewPlan, 'preview'>;
  readonly readPlans: Pick<ReadPlans, 'get' | 'list'>;
}

const tag = 'Plans';

/** Proposing, editing, trying out and confirming plans. */
export function planRoutes(useCases: PlanUseCases): readonly Route[] {
  return [...readingRoutes(useCases), ...writingRoutes(useCases), previewRoute(useCases)];
}

function readingRoutes({ readPlans }: PlanUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/documents/:documentId/plans',
      tag,
      summary: 'All plans of a document, newest first',
      list: 'ordinal',
      responses: { 200: { description: 'A page of plans.', items: PlanView } },
      refusals: ['DOCUMENT_NOT_FOUND'],
      handle: async (request) => {
        const page = await readPlans.list(request.tenantId, request.params.documentId, request.page);
        return ok(request.pageView(page, (plan) => planView(plan, request.language)));
      },
    }),
    route({
      method: 'GET',
      path: '/plans/:planId',
      tag,
      summary: 'Look at a plan',
      responses: { 200: { description: 'The plan.', shape: PlanView } },
      refusals: ['PLAN_NOT_FOUND'],
      handle: async ({ tenantId, params, language }) =>
        ok(planView(await readPlans.get(tenantId, params.planId), language)),
    }),
  ];
}

function writingRoutes({ recommendPlan, editPlan, confirmPlan }: PlanUseCases): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/documents/:documentId/plans/recommend',
      tag,
      summary: 'Have a fresh plan recommended',
      creates: true,
      description: 'It becomes the current plan and waits for a person.',
      body: optionalJson(RecommendPlanRequest),
      responses: { 201: { description: 'The new plan, with its reasons.', shape: PlanView } },
      refusals: ['DOCUMENT_NOT_FOUND', 'TEXT_NOT_AVAILABLE', 'TOO_BUSY'],
      handle: async ({ tenantId, params, body, language, once }) => {
        const plan = await recommendPlan.recommend(tenantId, params.documentId, body.operatorId, once);
        return created(planView(plan, language));
      },
    }),
    route({
      method: 'POST',
      path: '/documents/:documentId/plans',
      tag,
      summary: 'Write a plan',
      creates: true,
      description: 'Always a new version: it becomes the current plan and waits for a person.',
      body: json(EditPlanRequest),
      responses: { 201: { description: 'The new plan.', shape: PlanView } },
      refusals: ['DOCUMENT_NOT_FOUND', 'PLAN_NOT_FOUND', 'TEXT_NOT_AVAILABLE', 'PLAN_INVALID', 'TOO_BUSY'],
      handle: async ({ tenantId, params, body: { steps, basedOn, operatorId }, language, once }) => {
        const edit = { steps, ...(basedOn ? { basedOn } : {}) };
        const plan = await editPlan.edit(tenantId, params.documentId, edit, operatorId, once);
        return created(planView(plan, language));
      },
    }),
    route({
      method: 'POST',
      path: '/plans/:planId/confirm',
      tag,
      summary: 'Confirm the current plan',
      description: 'Confirming again changes nothing.',
      body: optionalJson(ConfirmPlanRequest),
      responses: { 200: { description: 'The confirmed plan.', shape: PlanView } },
      refusals: ['PLAN_NOT_FOUND', 'PLAN_STALE'],
      handle: async ({ tenantId, params, body, language }) =>
        ok(planView(await confirmPlan.confirm(tenantId, params.planId, body.operatorId), language)),
    }),
  ];
}

function previewRoute({ previewPlan }: PlanUseCases): Route {
  return route({
    method: 'POST',
    path: '/plans/:planId/preview',
    tag,
    summary: 'Try a plan out',
    description: 'Carries the whole plan out. Nothing is embedded, nothing is stored.',
    query: PreviewPlanQuery,
    body: optionalJson(PreviewPlanRequest),
    responses: { 200: { description: 'What a build would write.', shape: PreviewView } },
    refusals: ['PLAN_NOT_FOUND', 'PLAN_INVALID', 'TEXT_NOT_AVAILABLE', 'CHUNK_LIMIT', 'TOO_BUSY'],
    handle: async ({ tenantId, params, query, signal }) => {
      const options = { withText: query.withText ?? false };
      return ok(previewView(await previewPlan.preview(tenantId, params.planId, options, signal)));
    },
  });
}
