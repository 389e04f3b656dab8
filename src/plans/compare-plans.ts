import type { Id, TenantId } from '../domain/ids/id.js';
import { Level } from '../domain/plan/strategy.js';
import type { Chunk, Coverage } from '../domain/text/chunk.js';
import { cutStatistics, type CutStatistics } from './preview/cut-statistics.js';
import type { DryRun, DryRunResult } from './dry-run.js';
import type { StructuredText } from './text-cutter.js';

export interface ComparedPlan {
  readonly planId: Id;
  readonly planNo: number;
  readonly strategySnapshot: string;
  readonly stats: CutStatistics;
  readonly coverage: Coverage;
}

/** Places where one level is cut, as offsets in code points; the end of the text is none. */
export interface CutDifference {
  readonly level: Level;
  readonly shared: number;
  readonly onlyLeft: readonly number[];
  readonly onlyRight: readonly number[];
}

export interface PlanComparison {
  readonly documentId: Id;
  readonly textRevision: number;
  readonly left: ComparedPlan;
  readonly right: ComparedPlan;
  readonly differences: readonly CutDifference[];
}

/** Runs two plans of one document dry, on the same text, side by side. */
export class ComparePlans {
  constructor(private readonly dryRun: DryRun) {}

  /** @throws AppError as `DryRun.run`. */
  async compare(tenantId: TenantId, leftId: Id, rightId: Id, signal?: AbortSignal): Promise<PlanComparison> {
    const { documentId, textRevision, text, runs } = await this.dryRun.run(tenantId, [leftId, rightId], signal);
    const [left, right] = runs;
    if (!left || !right) throw new Error(`the dry run of plans ${leftId} and ${rightId} gave nothing`);
    return {
      documentId,
      textRevision,
      left: await sideOf(left, text),
      right: await sideOf(right, text),
      differences: [
        differenceOf(Level.Parent, left.cut.parents, right.cut.parents),
        differenceOf(Level.Child, left.cut.children, right.cut.children),
      ],
    };
  }
}

async function sideOf({ plan, cut }: DryRunResult['runs'][number], text: StructuredText): Promise<ComparedPlan> {
  const { planId, planNo, strategySnapshot } = plan;
  return { planId, planNo, strategySnapshot, stats: await cutStatistics(cut, text), coverage: cut.coverage };
}

function differenceOf(level: Level, left: readonly Chunk[], right: readonly Chunk[]): CutDifference {
  const [leftCuts, rightCuts] = [cutsOf(left), cutsOf(right)];
  const onlyLeft = [...leftCuts].filter((cut) => !rightCuts.has(cut));
  const onlyRight = [...rightCuts].filter((cut) => !leftCuts.has(cut));
  return { level, shared: leftCuts.size - onlyLeft.length, onlyLeft, onlyRight };
}

/** Where each chunk but the first begins, without what it repeats. */
function cutsOf(chunks: readonly Chunk[]): ReadonlySet<number> {
  return new Set(chunks.slice(1).map((chunk) => chunk.charStart + chunk.overlapStart));
}
