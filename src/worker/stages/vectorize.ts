import type { ChunkRepository, UnembeddedChunk } from '../../database/repositories/chunk-repository.js';
import { EmbedderLost, type Embedder, type Vector } from '../../embedding/embedder.js';
import { AppError } from '../../domain/errors.js';
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

/**
 * Embeds the children that have no vector yet, batch by batch; each batch is durable before its progress is told. A batch
 * that the embedding process was lost over may have been too much for it: every attempt that ended so halves them.
 */
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
    const size = await this.sizeFor(run);
    // One batch is embedded while the one before it is stored, so that the model never waits for the database.
    let next = this.embedAfter(run, version, size, -1);
    for (let batch = await next; batch; batch = await next) {
      next = this.embedAfter(run, version, size, batch.chunks.at(-1)?.ordinal ?? version.childCount);
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

  private async sizeFor(run: TaskRun): Promise<number> {
    return Math.max(1, Math.floor(this.batchSize / 2 ** (await run.earlierFailures('EMBEDDING_PROCESS_LOST'))));
  }

  private async embedAfter(run: TaskRun, version: OpenVersion, size: number, ordinal: number): Promise<Batch | null> {
    const chunks = await this.chunks.unembedded(version.owner, version.dimension, ordinal, size);
    if (chunks.length === 0) return null;
    const texts = chunks.map(({ content }) => content);
    try {
      return { chunks, vectors: await this.embedder.embed(texts, 'passage', run.signal) };
    } catch (error) {
      throw error instanceof EmbedderLost ? lostOver(chunks, version.childCount, error) : error;
    }
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

/** Names the batch, so that a person finds the text that is too much. */
function lostOver(chunks: readonly UnembeddedChunk[], total: number, cause: EmbedderLost): AppError {
  const [first, last] = [chunks[0]?.ordinal ?? 0, chunks.at(-1)?.ordinal ?? 0];
  const batch = `Its batch was ${chunks.length} of ${total} chunks, from ordinal ${first} to ${last}.`;
  return new AppError('EMBEDDING_PROCESS_LOST', `${cause.message} ${batch}`, {}, { cause });
}
