import type { ChunkRepository, UnembeddedChunk } from '../../database/repositories/chunk-repository.js';
import type { Embedder, Vector } from '../../embedding/embedder.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import type { Segmenter } from '../../search/segmenter.js';
import type { OpenVersion, VersionWriter } from '../../vector-index/version-writer.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';
import { requireSpec } from './require-spec.js';

interface Batch {
  readonly chunks: readonly UnembeddedChunk[];
  readonly vectors: readonly Vector[];
}

/** Embeds the children that have no vector yet, batch by batch; each batch is durable before its progress is told. */
export class Vectorize implements TaskStage {
  readonly stage = Stage.Vectorize;

  constructor(
    private readonly embedder: Embedder,
    private readonly chunks: ChunkRepository,
    private readonly writer: VersionWriter,
    private readonly segmenter: Segmenter,
    private readonly batchSize: number,
  ) {}

  async run(run: TaskRun): Promise<void> {
    const spec = requireSpec(run.task, { model: this.embedder.model, segmenterVersion: this.segmenter.version });
    const version = await this.writer.open(run, spec);
    let done = await this.announce(run, version);
    // One batch is embedded while the one before it is stored, so that the model never waits for the database.
    let next = this.embedAfter(run, version, -1);
    for (let batch = await next; batch; batch = await next) {
      next = this.embedAfter(run, version, batch.chunks.at(-1)?.ordinal ?? version.childCount);
      next.catch(() => undefined); // awaited above; a failed store must not leave its rejection unheard
      done += batch.chunks.length;
      await this.store(run, version, batch, done);
    }
    await run.write(async (tx) => {
      await run.completeStage(tx, version.childCount);
      await run.log(tx, TaskEvent.VectorizeDone, { vectors: done });
    });
  }

  /** Tells how much an earlier attempt left, and gives it. */
  private async announce(run: TaskRun, version: OpenVersion): Promise<number> {
    const done = await this.chunks.vectorCount(version.owner, version.dimension);
    await run.write((tx) => run.advance(tx, done, version.childCount));
    return done;
  }

  private async embedAfter(run: TaskRun, version: OpenVersion, ordinal: number): Promise<Batch | null> {
    const chunks = await this.chunks.unembedded(version.owner, version.dimension, ordinal, this.batchSize);
    if (chunks.length === 0) return null;
    const texts = chunks.map(({ content }) => content);
    return { chunks, vectors: await this.embedder.embed(texts, 'passage', run.signal) };
  }

  private async store(run: TaskRun, version: OpenVersion, batch: Batch, done: number): Promise<void> {
    const rows = batch.chunks.flatMap(({ ordinal }, i) => {
      const vector = batch.vectors[i];
      return vector ? [{ ordinal, vector }] : [];
    });
    await run.write(async (tx) => {
      await this.chunks.insertVectors(tx, version.owner, version.dimension, rows);
      await run.advance(tx, done, version.childCount);
      await run.log(tx, TaskEvent.Progress, { done, total: version.childCount });
    });
  }
}
