import type { Id, TenantId } from '../domain/ids/id.js';
import type { Chunk, ChunkLimits, Coverage } from '../domain/text/chunk.js';
import type { DryRun } from './dry-run.js';
import type { PlanTerms } from './plan-terms.js';
import { cutStatistics, type CutStatistics } from './preview/cut-statistics.js';
import { estimateEmbedding, type EmbeddingEstimate, type EmbeddingPace } from './preview/embedding-estimate.js';

/** A chunk of a preview; its text only where it was asked for. */
export type PreviewChunk = Omit<Chunk, 'text'> & { readonly text?: string };

/** What building a plan now would write, and what that would take. */
export interface PlanPreview {
  readonly planId: Id;
  readonly documentId: Id;
  /** The text that was cut: the document's newest. */
  readonly textRevision: number;
  readonly parents: readonly PreviewChunk[];
  readonly children: readonly PreviewChunk[];
  readonly stats: CutStatistics;
  readonly coverage: Coverage;
  readonly estimate: EmbeddingEstimate;
  readonly limits: ChunkLimits;
}

/** Shows a whole plan before it is confirmed: every chunk that a build would write, counted and judged. */
export class PreviewPlan {
  constructor(
    private readonly dryRun: DryRun,
    private readonly terms: PlanTerms,
    private readonly pace: EmbeddingPace,
  ) {}

  /** @throws AppError PLAN_NOT_FOUND, PLAN_INVALID with all `problems`, TEXT_NOT_AVAILABLE. */
  async preview(
    tenantId: TenantId,
    planId: Id,
    options: { readonly withText: boolean },
    signal?: AbortSignal,
  ): Promise<PlanPreview> {
    const { documentId, textRevision, text, runs } = await this.dryRun.run(tenantId, [planId], signal);
    const cut = runs[0]?.cut;
    if (!cut) throw new Error(`the dry run of plan ${planId} gave nothing`);
    const shown = options.withText ? (chunk: Chunk): PreviewChunk => chunk : withoutText;
    return {
      planId,
      documentId,
      textRevision,
      parents: cut.parents.map(shown),
      children: cut.children.map(shown),
      stats: await cutStatistics(cut, text),
      coverage: cut.coverage,
      estimate: estimateEmbedding(cut.children, this.pace),
      limits: this.terms.limits,
    };
  }
}

function withoutText(chunk: Chunk): PreviewChunk {
  const shown: PreviewChunk & { text?: string } = { ...chunk };
  delete shown.text;
  return shown;
}
