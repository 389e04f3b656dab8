import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ParseStatus } from '../../domain/document/parse-status.js';
import { StrategyStatus } from '../../domain/document/strategy-status.js';
import { PlanSource, PlanStatus } from '../../domain/plan/plan-status.js';
import type { PlanFeatures } from '../../domain/plan/recommendation.js';
import { ExecuteStatus } from '../../domain/plan/step-status.js';
import { Level, Strategy, type PlanStep } from '../../domain/plan/strategy.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { PlanRepository, type NewPlan } from './plan-repository.js';

const tenantId = '7';
const otherTenant = '8';
const documentId = '100';
const steps: PlanStep[] = [
  { level: Level.Parent, strategy: Strategy.Structure, params: { maxTokens: 1024 } },
  { level: Level.Child, strategy: Strategy.Sentence, params: { maxTokens: 256, overlapTokens: 0 } },
  { level: Level.Child, strategy: Strategy.Recursive, params: { maxTokens: 256, separators: ['\n\n', '。', '"'] } },
];
const features = { chars: 1200, tokens: 300 } as PlanFeatures;
const reasons = [{ code: 'WHY', text: { en: 'Because.', zh: '因为。' }, evidence: { tokens: 300 } }];

let test: TestDatabase;
let plans: PlanRepository;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
  plans = new PlanRepository(test.database);
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('truncate knowledge_base cascade');
  await test.database.query(
    `insert into knowledge_base (id, tenant_id, name, embedding_model) values (1, 7, 'kb', 'm')`,
  );
  await insertDocument(documentId);
});

async function insertDocument(id: string): Promise<void> {
  await test.database.query(
    `insert into document (id, tenant_id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash,
                           source_key, parse_status, strategy_status, index_status, text_revision)
     values ($1, 7, 1, 't', 'f', 'text/plain', 1, 'h', 'k', ${ParseStatus.ParseSuccess}, 1, 1, 1)`,
    [id],
  );
}

function plan(planId: string, more: Partial<NewPlan> = {}): NewPlan {
  const source = PlanSource.Recommended;
  return { planId, tenantId, documentId, source, textRevision: 1, steps, features, reasons, ...more };
}

function insert(planId: string, more: Partial<NewPlan> = {}): Promise<void> {
  return test.database.transaction(async (tx) => {
    await plans.lockDocument(tx, tenantId, more.documentId ?? documentId);
    await plans.insertCurrent(tx, plan(planId, more));
  });
}

function confirm(planId: string, operatorId?: string): Promise<void> {
  return test.database.transaction(async (tx) => {
    await plans.lockDocument(tx, tenantId, documentId);
    await plans.confirm(tx, tenantId, await plans.get(tx, tenantId, planId), operatorId);
  });
}

async function statusesByNo(): Promise<PlanStatus[]> {
  const page = await plans.list(tenantId, documentId, { limit: 50 });
  return page.items.map((each) => each.planStatus).reverse();
}

describe('storing a plan', () => {
  it('gives the plan back as it was stored, with its steps in order', async () => {
    await insert('201', { basedOn: '9007199254740993', createdBy: '4711', source: PlanSource.Edited });

    expect(await plans.find(tenantId, '201')).toEqual({
      planId: '201',
      documentId,
      planNo: 1,
      planStatus: PlanStatus.WaitConfirm,
      source: PlanSource.Edited,
      strategySnapshot: 'PARENT:1;CHILD:5,2',
      textRevision: 1,
      steps: steps.map((step, index) => ({ ...step, stepNo: index + 1, executeStatus: ExecuteStatus.WaitExecute })),
      features,
      reasons,
      basedOn: '9007199254740993',
      createdBy: '4711',
      createdAt: expect.any(Date),
      confirmedBy: null,
      confirmedAt: null,
    });
  });

  it('makes the plan current and lets the document wait for a person', async () => {
    await insert('201');
    await confirm('201');
    await insert('202');

    const document = await plans.findDocument(tenantId, documentId);
    expect(document).toMatchObject({
      currentPlanId: '202',
      strategyStatus: StrategyStatus.Recommended,
      textRevision: 1,
    });
    expect(await statusesByNo()).toEqual([PlanStatus.Confirmed, PlanStatus.WaitConfirm]);
  });

  it('numbers plans per document without a gap, however many arrive at once', async () => {
    await insertDocument('101');
    const ids = Array.from({ length: 8 }, (_, index) => String(300 + index));
    await Promise.all([...ids.map((id) => insert(id)), insert('400', { documentId: '101' })]);

    const page = await plans.list(tenantId, documentId, { limit: 50 });
    expect(page.items.map((each) => each.planNo)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await plans.findDocument(tenantId, documentId))?.currentPlanId).toBe(page.items[0]?.planId);
    expect((await plans.find(tenantId, '400'))?.planNo).toBe(1);
  });

  it('leaves nothing behind when the transaction fails', async () => {
    const failing = test.database.transaction(async (tx) => {
      await plans.insertCurrent(tx, plan('201'));
      throw new Error('later');
    });

    await expect(failing).rejects.toThrow('later');
    expect(await plans.find(tenantId, '201')).toBeUndefined();
    expect(await plans.findDocument(tenantId, documentId)).toMatchObject({ currentPlanId: null, strategyStatus: 1 });
  });

  it('refuses a deleted document and one of another tenant', async () => {
    await expect(insert('201', { tenantId: otherTenant })).rejects.toThrow('could not take plan');
    await test.database.query('update document set deleted_at = now()');
    await expect(insert('201')).rejects.toThrow('could not take plan');
    const [row] = await test.database.query<{ n: number }>('select count(*)::int as n from strategy_plan');
    expect(row?.n).toBe(0);
  });
});

describe('reading plans', () => {
  it('lists newest first, page by page', async () => {
    for (const id of ['201', '202', '203']) await insert(id);

    const first = await plans.list(tenantId, documentId, { limit: 2 });
    const second = await plans.list(tenantId, documentId, { limit: 2, after: first.next ?? '' });
    expect(first.items.map((each) => each.planId)).toEqual(['203', '202']);
    expect(first.next).toBe('2');
    expect(second.items.map((each) => each.planId)).toEqual(['201']);
    expect(second.next).toBeNull();
    expect(second.items[0]?.steps).toHaveLength(3);
  });

  it('shows a tenant nothing of another', async () => {
    await insert('201');

    expect(await plans.find(otherTenant, '201')).toBeUndefined();
    expect(await plans.findDocument(otherTenant, documentId)).toBeUndefined();
    expect((await plans.list(otherTenant, documentId, { limit: 10 })).items).toEqual([]);
    expect(await plans.featuresOf(otherTenant, documentId, 1)).toBeUndefined();
  });

  it('hides deleted plans, and all plans of a deleted document', async () => {
    await insert('201');
    await insert('202');
    await test.database.query('update strategy_plan set status = 0 where id = 201');
    expect(await plans.find(tenantId, '201')).toBeUndefined();
    expect((await plans.list(tenantId, documentId, { limit: 10 })).items).toHaveLength(1);

    await test.database.query('update document set deleted_at = now()');
    expect(await plans.find(tenantId, '202')).toBeUndefined();
  });

  it('gives the features of the newest plan for a text revision', async () => {
    await insert('201');
    await insert('202', { features: { ...features, tokens: 333 } });
    await insert('203', { textRevision: 2 });

    expect((await plans.featuresOf(tenantId, documentId, 1))?.tokens).toBe(333);
    expect(await plans.featuresOf(tenantId, documentId, 3)).toBeUndefined();
  });
});

describe('confirming a plan', () => {
  it('says who and when, and supersedes every earlier plan', async () => {
    await insert('201');
    await confirm('201', '1');
    await insert('202');
    await insert('203');
    await confirm('203', '4711');

    expect(await plans.find(tenantId, '203')).toMatchObject({
      planStatus: PlanStatus.Confirmed,
      confirmedBy: '4711',
      confirmedAt: expect.any(Date),
    });
    expect(await statusesByNo()).toEqual([PlanStatus.Superseded, PlanStatus.Superseded, PlanStatus.Confirmed]);
    expect(await plans.findDocument(tenantId, documentId)).toMatchObject({ strategyStatus: StrategyStatus.Confirmed });
    expect((await plans.find(tenantId, '201'))?.confirmedBy).toBe('1');
  });

  it('leaves plans of other documents alone', async () => {
    await insertDocument('101');
    await insert('201', { documentId: '101' });
    await insert('202');
    await confirm('202');

    expect((await plans.find(tenantId, '201'))?.planStatus).toBe(PlanStatus.WaitConfirm);
  });

  it('changes nothing unless plan and document can both move', async () => {
    await insert('201');
    await insert('202');
    await expect(confirm('201')).rejects.toThrow('could not be confirmed');
    await confirm('202');
    await expect(confirm('202')).rejects.toThrow('could not be confirmed');

    expect(await statusesByNo()).toEqual([PlanStatus.Superseded, PlanStatus.Confirmed]);
  });
});

describe('marking steps', () => {
  const mark = (level: Level | 'ALL', status: ExecuteStatus, tenant = tenantId): Promise<void> =>
    test.database.transaction((tx) => plans.markSteps(tx, tenant, '201', level, status));
  const marks = async (): Promise<ExecuteStatus[]> =>
    ((await plans.find(tenantId, '201'))?.steps ?? []).map((step) => step.executeStatus);

  it('moves one level or all, and may be repeated', async () => {
    await insert('201');
    await mark('ALL', ExecuteStatus.Running);
    await mark('ALL', ExecuteStatus.Running);
    await mark(Level.Parent, ExecuteStatus.Success);
    expect(await marks()).toEqual([ExecuteStatus.Success, ExecuteStatus.Running, ExecuteStatus.Running]);

    await mark(Level.Child, ExecuteStatus.Failed);
    await mark('ALL', ExecuteStatus.WaitExecute);
    expect(await marks()).toEqual([1, 1, 1]);
  });

  it('refuses a move that the table does not know, whole', async () => {
    await insert('201');
    await mark(Level.Parent, ExecuteStatus.Running);

    await expect(mark('ALL', ExecuteStatus.Success)).rejects.toThrow('could not move');
    expect(await marks()).toEqual([ExecuteStatus.Running, 1, 1]);
  });

  it('refuses a plan of another tenant', async () => {
    await insert('201');
    await expect(mark('ALL', ExecuteStatus.Running, otherTenant)).rejects.toThrow('could not move');
  });
});
