import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../domain/errors.js';
import { Planning, planningTerms, structured } from '../testing/planning.js';

const tenantId = '7';
const sentences = 'The gauge is read at dawn. Whoever reads it signs the page 🌸. Its value goes into the log. ';
const rows = Array.from({ length: 60 }, (_, index) => `| pump ${index} | ${index * 7} bar | checked |`).join('\n');
const text = [
  '# Handbook',
  sentences.repeat(30).trimEnd(),
  '## Values',
  `| name | pressure | state |\n|---|---|---|\n${rows}`,
  '## 记录',
  '水泵运行时应检查轴承温度。若压力超过上限，请立即停机！'.repeat(20),
  sentences.repeat(5).trimEnd(),
].join('\n\n');

let planning: Planning;
let use: ReturnType<Planning['useCases']>;
let documentId: string;

beforeAll(async () => {
  planning = await Planning.open();
  use = planning.useCases();
  documentId = await planning.plantDocument(tenantId, text);
});
afterAll(() => planning.close());

const refusal = async (promise: Promise<unknown>): Promise<AppError> => {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error('it was not refused', { cause: outcome });
};
const edited = (child: Readonly<Record<string, unknown>>) =>
  use.edit.edit(tenantId, documentId, {
    steps: [
      { level: 'PARENT', strategy: 'STRUCTURE' },
      { level: 'CHILD', strategy: 'RECURSIVE', params: child },
    ],
  });

describe('a preview', () => {
  it('shows exactly the chunks that a build of the plan writes', async () => {
    const plan = await use.recommend.recommend(tenantId, documentId);
    const { parents, children, coverage } = await use.preview.preview(tenantId, plan.planId, { withText: true });

    const { limits } = planningTerms;
    const built = await planning.chunker.cut({ ...structured(text), steps: plan.steps, limits });
    expect({ parents, children, coverage }).toEqual(built);
    expect(coverage).toMatchObject({ complete: true, omittedChars: 0 });
  });

  it('leaves out the text unless it is asked for', async () => {
    const plan = await edited({ maxTokens: 120 });
    const bare = await use.preview.preview(tenantId, plan.planId, { withText: false });
    const full = await use.preview.preview(tenantId, plan.planId, { withText: true });

    expect(bare.children.some((child) => 'text' in child)).toBe(false);
    expect(full.children).toMatchObject([...bare.children]);
  });

  it('stores nothing and changes nothing', async () => {
    const plan = await edited({});
    const before = await planning.plans.findDocument(tenantId, documentId);
    await use.preview.preview(tenantId, plan.planId, { withText: false });

    expect(await planning.plans.findDocument(tenantId, documentId)).toEqual(before);
    expect(await use.read.get(tenantId, plan.planId)).toEqual(plan);
    const [row] = await planning.test.database.query<{ n: number }>('select count(*)::int as n from chunk');
    expect(row?.n).toBe(0);
  });

  it('counts, judges and estimates what it shows', async () => {
    const plan = await edited({ maxTokens: 40, minTokens: 0, separators: [' '], merge: 'FILL' });
    const preview = await use.preview.preview(tenantId, plan.planId, { withText: true });

    const { stats, children, estimate } = preview;
    const tokens = children.map((child) => child.tokens);
    expect(stats.CHILD).toMatchObject({
      count: children.length,
      tokens: { count: children.length, max: Math.max(...tokens), min: Math.min(...tokens) },
      splitTables: 1,
    });
    expect(stats.CHILD.tokens.histogram.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(children.length);
    expect(stats.CHILD.splitSentences).toBeGreaterThan(10);
    const distinct = new Map(children.map((child) => [child.text, child.tokens]));
    expect(estimate).toEqual({
      embedTokens: [...distinct.values()].reduce((sum, each) => sum + each, 0),
      embedCalls: distinct.size,
      seconds: expect.any(Number),
    });
    expect(preview.limits).toEqual(planningTerms.limits);
  });

  it('cuts no sentence where the plan cuts along sentences', async () => {
    const plan = await use.edit.edit(tenantId, documentId, {
      steps: [
        { level: 'PARENT', strategy: 'STRUCTURE' },
        { level: 'CHILD', strategy: 'SENTENCE', params: { maxTokens: 80, overlapTokens: 20 } },
      ],
    });
    const { stats } = await use.preview.preview(tenantId, plan.planId, { withText: false });
    expect([stats.PARENT.splitSentences, stats.CHILD.splitSentences]).toEqual([0, 0]);
  });

  it('can be had of a plan that is not current, and cuts the newest text', async () => {
    const document = await planning.plantDocument(tenantId, 'An old text.');
    const old = await use.recommend.recommend(tenantId, document);
    await planning.plantText(tenantId, document, 'A new text.');
    await use.recommend.recommend(tenantId, document);

    const preview = await use.preview.preview(tenantId, old.planId, { withText: true });
    expect([preview.textRevision, preview.children[0]?.text]).toEqual([2, 'A new text.']);
  });

  it('refuses a plan that no longer fits, one that is unknown, and one of another tenant', async () => {
    const plan = await edited({});
    expect((await refusal(use.preview.preview('8', plan.planId, { withText: false }))).code).toBe('PLAN_NOT_FOUND');
    expect((await refusal(use.preview.preview(tenantId, '999', { withText: false }))).code).toBe('PLAN_NOT_FOUND');
    await planning.test.database.query(
      `update strategy_step set params = jsonb_set(params, '{maxTokens}', '9999') where plan_id = $1 and level = 'CHILD'`,
      [plan.planId],
    );
    const error = await refusal(use.preview.preview(tenantId, plan.planId, { withText: false }));
    expect([error.code, error.details.problems]).toMatchObject(['PLAN_INVALID', [{ code: 'PARAM_RANGE' }]]);
  });

  it('ends when its caller goes away', async () => {
    const plan = await edited({});
    const reason = new Error('gone');
    const preview = use.preview.preview(tenantId, plan.planId, { withText: false }, AbortSignal.abort(reason));
    await expect(preview).rejects.toBe(reason);
  });
});

describe('comparing two plans', () => {
  it('tells where they cut differently, and how either looks', async () => {
    const left = await edited({ maxTokens: 60 });
    const right = await edited({ maxTokens: 200 });
    const comparison = await use.compare.compare(tenantId, left.planId, right.planId);

    const [parents, children] = comparison.differences;
    expect(parents).toMatchObject({ level: 'PARENT', onlyLeft: [], onlyRight: [] });
    expect(children?.onlyLeft.length).toBeGreaterThan(0);
    const { stats } = comparison.left;
    expect((children?.shared ?? 0) + (children?.onlyLeft.length ?? 0)).toBe(stats.CHILD.count - 1);
    expect(stats.CHILD.count).toBeGreaterThan(comparison.right.stats.CHILD.count);
    expect([comparison.left.planNo, comparison.right.planNo]).toEqual([left.planNo, right.planNo]);
  });

  it('finds no difference between a plan and itself', async () => {
    const plan = await edited({ maxTokens: 60, overlapTokens: 10 });
    const { differences } = await use.compare.compare(tenantId, plan.planId, plan.planId);
    expect(differences.flatMap(({ onlyLeft, onlyRight }) => [...onlyLeft, ...onlyRight])).toEqual([]);
  });

  it('refuses plans of two documents', async () => {
    const other = await planning.plantDocument(tenantId, text);
    const [left, right] = [await edited({}), await use.recommend.recommend(tenantId, other)];
    const error = await refusal(use.compare.compare(tenantId, left.planId, right.planId));
    expect([error.code, error.details.fields]).toMatchObject(['INVALID_REQUEST', [{ path: 'right' }]]);
  });
});
