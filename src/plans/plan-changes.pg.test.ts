import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredPlan } from '../database/repositories/plan-repository.js';
import { ParseStatus } from '../domain/document/parse-status.js';
import { StrategyStatus } from '../domain/document/strategy-status.js';
import { AppError } from '../domain/errors.js';
import { PlanSource, PlanStatus } from '../domain/plan/plan-status.js';
import { Planning } from '../testing/planning.js';
import type { PlanEdit } from './edit-plan.js';

const tenantId = '7';
const text =
  '# Pumps\n\nCheck the bearing every day. Write the value down.\n\n# Valves\n\nClose them slowly. Open them slowly.';
const edit: PlanEdit = {
  steps: [
    { level: 'PARENT', strategy: 'STRUCTURE' },
    { level: 'CHILD', strategy: 2, params: { maxTokens: 100 } },
  ],
};

let planning: Planning;
let use: ReturnType<Planning['useCases']>;
let documentId: string;

beforeAll(async () => {
  planning = await Planning.open();
  use = planning.useCases();
});
afterAll(() => planning.close());
beforeEach(async () => {
  documentId = await planning.plantDocument(tenantId, text);
});

const stateOf = (id = documentId) => planning.plans.findDocument(tenantId, id);
const refusal = async (promise: Promise<unknown>): Promise<AppError> => {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error('it was not refused', { cause: outcome });
};
const statuses = async (): Promise<PlanStatus[]> => {
  const { items } = await use.read.list(tenantId, documentId, { limit: 50 });
  return items.map((plan) => plan.planStatus).reverse();
};

describe('recommending', () => {
  it('measures the text and makes the plan current, unconfirmed, with reasons', async () => {
    const plan = await use.recommend.recommend(tenantId, documentId, '4711');

    expect(plan).toMatchObject({
      documentId,
      planNo: 1,
      planStatus: PlanStatus.WaitConfirm,
      source: PlanSource.Recommended,
      textRevision: 1,
      createdBy: '4711',
      basedOn: null,
    });
    expect(plan.features).toMatchObject({ headings: 2, paragraphs: 2, chars: text.length });
    expect(plan.reasons.length).toBeGreaterThan(0);
    expect(await stateOf()).toMatchObject({ currentPlanId: plan.planId, strategyStatus: StrategyStatus.Recommended });
    expect(await use.read.get(tenantId, plan.planId)).toEqual(plan);
  });

  it('makes a fresh version of a confirmed plan, which stays confirmed in history', async () => {
    const first = await use.recommend.recommend(tenantId, documentId);
    await use.confirm.confirm(tenantId, first.planId);
    const second = await use.recommend.recommend(tenantId, documentId);

    expect([second.planNo, second.steps]).toEqual([2, first.steps]);
    expect(await stateOf()).toMatchObject({ currentPlanId: second.planId, strategyStatus: StrategyStatus.Recommended });
    expect(await statuses()).toEqual([PlanStatus.Confirmed, PlanStatus.WaitConfirm]);
  });

  it('starts anew if another text arrives while it measures', async () => {
    let measurements = 0;
    const cutter = {
      cut: planning.chunker.cut.bind(planning.chunker),
      measure: async (input: Parameters<typeof planning.chunker.measure>[0]) => {
        measurements += 1;
        const features = await planning.chunker.measure(input);
        if (measurements === 1) await planning.plantText(tenantId, documentId, 'Quite another text.');
        return features;
      },
    };
    const plan = await planning.useCases({ cutter }).recommend.recommend(tenantId, documentId);

    expect([measurements, plan.textRevision, plan.planNo]).toEqual([2, 2, 1]);
    expect(plan.features.chars).toBe('Quite another text.'.length);
  });

  it('gives up, storing nothing, if texts never stop arriving', async () => {
    const cutter = {
      cut: planning.chunker.cut.bind(planning.chunker),
      measure: async (input: Parameters<typeof planning.chunker.measure>[0]) => {
        await planning.plantText(tenantId, documentId, `${input.text} more`);
        return planning.chunker.measure(input);
      },
    };
    const error = await refusal(planning.useCases({ cutter }).recommend.recommend(tenantId, documentId));

    expect(error.code).toBe('TOO_BUSY');
    expect(await statuses()).toEqual([]);
  });

  it('refuses a document that is unknown, deleted, of another tenant, or not parsed', async () => {
    const unparsed = await planning.plantUnparsed(tenantId);
    expect((await refusal(use.recommend.recommend(tenantId, unparsed))).code).toBe('TEXT_NOT_AVAILABLE');
    expect((await refusal(use.recommend.recommend('8', documentId))).code).toBe('DOCUMENT_NOT_FOUND');
    expect((await refusal(use.recommend.recommend(tenantId, '999'))).code).toBe('DOCUMENT_NOT_FOUND');
    await planning.test.database.query('update document set deleted_at = now() where id = $1', [documentId]);
    expect((await refusal(use.recommend.recommend(tenantId, documentId))).code).toBe('DOCUMENT_NOT_FOUND');
    expect((await refusal(use.read.list(tenantId, documentId, { limit: 5 }))).code).toBe('DOCUMENT_NOT_FOUND');
  });
});

describe('editing', () => {
  let recommended: StoredPlan;
  beforeEach(async () => {
    recommended = await use.recommend.recommend(tenantId, documentId);
  });

  it('makes a new version with every parameter spelled out, based on the plan it started from', async () => {
    const plan = await use.edit.edit(tenantId, documentId, { ...edit, basedOn: recommended.planId }, '4711');

    expect(plan).toMatchObject({
      planNo: 2,
      source: PlanSource.Edited,
      strategySnapshot: 'PARENT:1;CHILD:2',
      basedOn: recommended.planId,
      createdBy: '4711',
      features: recommended.features,
    });
    expect(plan.steps[1]?.params).toMatchObject({ maxTokens: 100, overlapTokens: 0, keepSeparator: 'END' });
    expect(plan.reasons).toMatchObject([{ code: 'EDITED', evidence: { basedOnPlanNo: 1 } }]);
    expect(await stateOf()).toMatchObject({ currentPlanId: plan.planId, strategyStatus: StrategyStatus.Recommended });
    expect(await use.read.get(tenantId, recommended.planId)).toEqual(recommended);
  });

  it('leaves the plan before it confirmed until it is confirmed itself', async () => {
    await use.confirm.confirm(tenantId, recommended.planId);
    const plan = await use.edit.edit(tenantId, documentId, edit);
    expect(await statuses()).toEqual([PlanStatus.Confirmed, PlanStatus.WaitConfirm]);

    await use.confirm.confirm(tenantId, plan.planId);
    expect(await statuses()).toEqual([PlanStatus.Superseded, PlanStatus.Confirmed]);
  });

  it('is allowed while a build runs, and after a parse that failed', async () => {
    await planning.test.database.query(
      `update document set index_status = 2, parse_status = ${ParseStatus.ParseFailed} where id = $1`,
      [documentId],
    );
    expect((await use.edit.edit(tenantId, documentId, edit)).planNo).toBe(2);
  });

  it('refuses what cannot be executed, with all problems at once, and stores nothing', async () => {
    const error = await refusal(
      use.edit.edit(tenantId, documentId, {
        steps: [
          { level: 'CHILD', strategy: 'SEMANTIC' },
          { level: 'CHILD', strategy: 99 },
          { level: 'CHILD', strategy: 2, params: { maxTokens: 1_000_000, overlapTokens: 'x', colour: 1 } },
          { level: 'CHILD', strategy: 2, params: { separators: ['a\0b', '\ud800'] } },
        ],
      }),
    );

    expect(error.code).toBe('PLAN_INVALID');
    const problems = error.details.problems as { path: string; code: string }[];
    expect(problems.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      'steps LEVEL_MISSING',
      'steps[0].strategy STRATEGY_UNAVAILABLE',
      'steps[1].strategy STRATEGY_UNKNOWN',
      'steps[2].params.colour PARAM_UNKNOWN',
      'steps[2].params.maxTokens PARAM_RANGE',
      'steps[2].params.overlapTokens PARAM_TYPE',
      'steps[3].params.separators[0] PARAM_RANGE',
      'steps[3].params.separators[1] PARAM_RANGE',
    ]);
    expect(await statuses()).toEqual([PlanStatus.WaitConfirm]);
  });

  it('refuses a base that is no plan of the document', async () => {
    const other = await planning.plantDocument(tenantId, text);
    const foreign = await use.recommend.recommend(tenantId, other);

    const error = await refusal(use.edit.edit(tenantId, documentId, { ...edit, basedOn: foreign.planId }));
    expect([error.code, error.details.planId]).toEqual(['PLAN_NOT_FOUND', foreign.planId]);
    expect((await refusal(use.edit.edit(tenantId, documentId, { ...edit, basedOn: '999' }))).code).toBe(
      'PLAN_NOT_FOUND',
    );
    expect(await statuses()).toEqual([PlanStatus.WaitConfirm]);
  });

  it('keeps separators as they were typed', async () => {
    const separators = ['\n', '\\n', ' " ', '段落：', '🌸'];
    const steps = [edit.steps[0]!, { level: 'CHILD', strategy: 2, params: { separators } }];
    const plan = await use.edit.edit(tenantId, documentId, { steps });
    expect(plan.steps[1]?.params.separators).toEqual(separators);
  });

  it('measures anew where no plan tells the features of the text', async () => {
    await planning.plantText(tenantId, documentId, 'A new text.');
    const plan = await use.edit.edit(tenantId, documentId, edit);
    expect([plan.textRevision, plan.features.chars]).toEqual([2, 11]);
  });
});

describe('confirming', () => {
  let recommended: StoredPlan;
  beforeEach(async () => {
    recommended = await use.recommend.recommend(tenantId, documentId);
  });

  it('records who and when, and changes nothing the second time', async () => {
    const confirmed = await use.confirm.confirm(tenantId, recommended.planId, '4711');
    expect(confirmed).toMatchObject({ planStatus: PlanStatus.Confirmed, confirmedBy: '4711' });
    expect(await stateOf()).toMatchObject({ strategyStatus: StrategyStatus.Confirmed });

    expect(await use.confirm.confirm(tenantId, recommended.planId, '1')).toEqual(confirmed);
    expect(await use.read.get(tenantId, recommended.planId)).toEqual(confirmed);
  });

  it('refuses every plan but the current one, and names that', async () => {
    const edited = await use.edit.edit(tenantId, documentId, edit);
    const error = await refusal(use.confirm.confirm(tenantId, recommended.planId));

    expect([error.code, error.details.currentPlanId]).toEqual(['PLAN_STALE', edited.planId]);
    expect(await statuses()).toEqual([PlanStatus.WaitConfirm, PlanStatus.WaitConfirm]);
  });

  it('refuses a plan that is unknown, of another tenant or of a deleted document', async () => {
    expect((await refusal(use.confirm.confirm(tenantId, '999'))).code).toBe('PLAN_NOT_FOUND');
    expect((await refusal(use.confirm.confirm('8', recommended.planId))).code).toBe('PLAN_NOT_FOUND');
    await planning.test.database.query('update document set deleted_at = now() where id = $1', [documentId]);
    expect((await refusal(use.confirm.confirm(tenantId, recommended.planId))).code).toBe('PLAN_NOT_FOUND');
    expect((await refusal(use.read.get(tenantId, recommended.planId))).code).toBe('PLAN_NOT_FOUND');
  });
});

describe('people who act at the same moment', () => {
  let recommended: StoredPlan;
  beforeEach(async () => {
    recommended = await use.recommend.recommend(tenantId, documentId);
  });

  it('confirm once, and all learn who did', async () => {
    const operators = ['1', '2', '3', '4', '5', '6'];
    const plans = await Promise.all(operators.map((id) => use.confirm.confirm(tenantId, recommended.planId, id)));

    expect(new Set(plans.map((plan) => plan.confirmedBy)).size).toBe(1);
    expect(new Set(plans.map((plan) => plan.confirmedAt?.getTime())).size).toBe(1);
  });

  it('edit into versions of their own, of which the last is current', async () => {
    const edits = await Promise.all(Array.from({ length: 6 }, () => use.edit.edit(tenantId, documentId, edit)));

    expect(edits.map((plan) => plan.planNo).sort()).toEqual([2, 3, 4, 5, 6, 7]);
    const last = edits.find((plan) => plan.planNo === 7);
    expect((await stateOf())?.currentPlanId).toBe(last?.planId);
  });

  it('never confirm what another has just replaced', async () => {
    for (let round = 0; round < 12; round += 1) {
      const current = (await stateOf())?.currentPlanId ?? '';
      const [confirmed, edited] = await Promise.all([
        use.confirm.confirm(tenantId, current).then(
          () => true,
          (error: AppError) => error.code !== 'PLAN_STALE',
        ),
        use.edit.edit(tenantId, documentId, edit),
      ]);

      // Either order is fine: confirmed and then replaced, or replaced and then refused.
      const plan = await use.read.get(tenantId, current);
      expect(plan.planStatus).toBe(confirmed ? PlanStatus.Confirmed : PlanStatus.WaitConfirm);
      expect(await stateOf()).toMatchObject({
        currentPlanId: edited.planId,
        strategyStatus: StrategyStatus.Recommended,
      });
    }
  });

  it('wait for whoever holds the document, and then see what was done', async () => {
    let holding = (): void => undefined;
    const held = new Promise<void>((resolve) => (holding = resolve));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const holder = planning.test.database.transaction(async (tx) => {
      await planning.plans.lockDocument(tx, tenantId, documentId);
      holding();
      await released;
      await planning.plans.confirm(tx, tenantId, await planning.plans.get(tx, tenantId, recommended.planId), '42');
    });
    await held;
    const waiting = use.confirm.confirm(tenantId, recommended.planId, '43');
    release();
    await holder;

    expect((await waiting).confirmedBy).toBe('42');
  });
});
