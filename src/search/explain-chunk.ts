import type { ChunkReadRepository, ChunkRow, ExplainedChunk } from '../database/repositories/chunk-read-repository.js';
import type { DocumentTextRepository } from '../database/repositories/document-text-repository.js';
import type { BuildSpec } from '../domain/build-spec.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { strategyTable, type PlanStep } from '../domain/plan/strategy.js';

/** Code points shown before and after the chunk. */
const surrounding = 300;

/** Where a chunk came from: the rule and step that cut it, its parent, its place in the source, and its build. */
export interface ChunkExplanation {
  readonly chunk: ChunkRow;
  readonly documentId: Id;
  readonly parent: ChunkRow | null;
  /** The step whose rule cut it; null for a cut that only the hard limit explains. */
  readonly step: PlanStep | null;
  /** All steps of its level, in order. */
  readonly steps: readonly PlanStep[];
  readonly source: { readonly charStart: number; readonly charEnd: number; readonly text: string };
  readonly taskId: Id;
  readonly planId: Id;
  readonly strategySnapshot: string;
  readonly model: BuildSpec['model'];
  readonly version: number;
  readonly textRevision: number;
  /** True while this version is the one that is searched. */
  readonly served: boolean;
}

/** Explains stored chunks. */
export class ExplainChunk {
  constructor(
    private readonly chunks: ChunkReadRepository,
    private readonly texts: DocumentTextRepository,
  ) {}

  /** @throws AppError CHUNK_NOT_FOUND. */
  async explain(tenantId: TenantId, chunkId: Id): Promise<ChunkExplanation> {
    const found = await this.chunks.explain(tenantId, chunkId);
    if (!found) throw new AppError('CHUNK_NOT_FOUND', 'There is no such chunk.');
    const { buildSpec, ...origin } = found;
    const steps = buildSpec.steps.filter(({ level }) => level === found.chunk.level);
    return {
      ...origin,
      step: steps.find(({ strategy }) => found.chunk.rule.startsWith(`${strategyTable[strategy].name}:`)) ?? null,
      steps,
      source: await this.sourceAround(tenantId, found),
      model: buildSpec.model,
    };
  }

  private async sourceAround(
    tenantId: TenantId,
    { documentId, textRevision, chunk }: ExplainedChunk,
  ): Promise<ChunkExplanation['source']> {
    const charStart = Math.max(0, chunk.charStart - surrounding);
    const charEnd = chunk.charEnd + surrounding;
    const range = await this.texts.readRange(tenantId, documentId, textRevision, charStart, charEnd);
    if (!range) throw new Error(`chunk ${chunk.chunkId} outlived the text that it was cut from`);
    return { charStart, charEnd: Math.min(charEnd, range.length), text: range.text };
  }
}
