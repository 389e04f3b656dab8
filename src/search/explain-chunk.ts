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
    const steps = found.buildSpec.steps.filter(({ level }) => level === found.level);
    return {
      chunk: chunkOf(found),
      documentId: found.documentId,
      parent: found.parent,
      step: steps.find(({ strategy }) => found.rule.startsWith(`${strategyTable[strategy].name}:`)) ?? null,
      steps,
      source: await this.sourceAround(tenantId, found),
      taskId: found.taskId,
      planId: found.planId,
      strategySnapshot: found.strategySnapshot,
      model: found.buildSpec.model,
      version: found.version,
      textRevision: found.textRevision,
      served: found.served,
    };
  }

  private async sourceAround(tenantId: TenantId, chunk: ExplainedChunk): Promise<ChunkExplanation['source']> {
    const charStart = Math.max(0, chunk.charStart - surrounding);
    const range = await this.texts.readRange(
      tenantId,
      chunk.documentId,
      chunk.textRevision,
      charStart,
      chunk.charEnd + surrounding,
    );
    if (!range) throw new Error(`chunk ${chunk.chunkId} outlived the text that it was cut from`);
    return { charStart, charEnd: Math.min(chunk.charEnd + surrounding, range.length), text: range.text };
  }
}

function chunkOf({
  chunkId,
  level,
  ordinal,
  parentOrdinal,
  charStart,
  charEnd,
  text,
  tokens,
  overlapStart,
  headingPath,
  context,
  rule,
  forced,
  pages,
}: ExplainedChunk): ChunkRow {
  return {
    chunkId,
    level,
    ordinal,
    parentOrdinal,
    charStart,
    charEnd,
    text,
    tokens,
    overlapStart,
    headingPath,
    context,
    rule,
    forced,
    pages,
  };
}
