import type { PlanRepository } from '../../database/repositories/plan-repository.js';
import type { BuildSpec, EmbeddingModel } from '../../domain/build-spec.js';
import { AppError } from '../../domain/errors.js';
import { ExecuteStatus } from '../../domain/plan/step-status.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import type { CutResult } from '../../domain/text/chunk.js';
import type { TextCutter } from '../../plans/text-cutter.js';
import type { TextReader } from '../../plans/text-reader.js';
import type { Segmenter } from '../../search/segmenter.js';
import type { VersionWriter } from '../../vector-index/version-writer.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';
import { requireSpec } from './require-spec.js';

export interface ChunkExecuteParts {
  readonly texts: TextReader;
  readonly plans: PlanRepository;
  readonly cutter: TextCutter;
  readonly writer: VersionWriter;
  readonly model: EmbeddingModel;
  readonly segmenter: Segmenter;
}

/** Cuts the frozen text by the frozen steps and stores the chunks of a new index version, beside the one that serves. */
export class ChunkExecute implements TaskStage {
  readonly stage = Stage.ChunkExecute;

  constructor(private readonly parts: ChunkExecuteParts) {}

  async run(run: TaskRun): Promise<void> {
    const { model, segmenter } = this.parts;
    await this.markSteps(run, ExecuteStatus.Running);
    const spec = requireSpec(run.task, { model, segmenterVersion: segmenter.version });
    const cut = await this.cut(run, spec);
    const version = await this.parts.writer.open(run, spec);
    await this.parts.writer.writeChunks(run, version, cut);
    await run.write(async (tx) => {
      await this.parts.writer.recordCounts(tx, version, cut);
      await this.moveSteps(run, ExecuteStatus.Success, tx);
      await run.completeStage(tx, cut.children.length);
      await run.log(tx, TaskEvent.ChunkDone, { parents: cut.parents.length, children: cut.children.length });
    });
  }

  private async cut(run: TaskRun, spec: BuildSpec): Promise<CutResult> {
    const { tenantId, documentId } = run.task;
    const source = await this.parts.texts.read(tenantId, documentId, spec.textRevision);
    if (!source) throw new AppError('SOURCE_CHANGED', 'The parsed text of the confirmed plan is not there any more.');
    const cut = await this.parts.cutter.cut({ ...source, steps: spec.steps, limits: spec.limits }, run.signal);
    if (!cut.coverage.complete) {
      throw new AppError('COVERAGE_INCOMPLETE', 'Cutting by this plan would lose a part of the text.');
    }
    if (cut.children.length === 0) throw new AppError('EMPTY', 'The text holds nothing that can be indexed.');
    return cut;
  }

  private async markSteps(run: TaskRun, status: ExecuteStatus): Promise<void> {
    await run.write((tx) => this.moveSteps(run, status, tx));
  }

  private async moveSteps(
    run: TaskRun,
    status: ExecuteStatus,
    tx: Parameters<PlanRepository['markSteps']>[0],
  ): Promise<void> {
    const { tenantId, planId } = run.task;
    if (planId) await this.parts.plans.markSteps(tx, tenantId, planId, 'ALL', status);
  }
}
