import type { EmbeddingConfig } from '../../config/app-config.js';
import { AppError } from '../../domain/errors.js';
import { checkVectors } from '../../embedding/check-vectors.js';
import { EmbedderLost, type Embedder, type Vector } from '../../embedding/embedder.js';
import type { LocalModel } from '../../embedding/local-model.js';
import type { Logger } from '../../logging/logger.js';
import { ProcessLost } from '../../processes/process-lost.js';
import { ProcessPool } from '../../processes/process-pool.js';
import type { EmbeddingRequest } from './embedding-request.js';
import { Portions } from './portions.js';

/** Loading takes a second of computing; on a machine with many times the work that it can do, minutes. */
const startTimeoutMs = 300_000;
/** What a process may hold beside three times the weights; the runtime keeps what its largest text needed. */
const workingMb = 1_024;

/**
 * Computes vectors with a model on this machine, in child processes of one thread each. Queries go before passages; an
 * aborted call rejects at once, and what a process has in hand then is computed for nobody.
 */
export class TransformersEmbedder implements Embedder {
  readonly model: Embedder['model'];
  private readonly pool: ProcessPool<EmbeddingRequest, Float32Array>;

  constructor(
    local: LocalModel,
    private readonly config: Pick<EmbeddingConfig, 'processes' | 'textTimeoutMs'>,
    logger: Logger,
  ) {
    this.model = local.model;
    const script = new URL('./embedding-child.js', import.meta.url);
    const size = config.processes;
    const recycleAboveMb = workingMb + 3 * local.weightsMb;
    this.pool = new ProcessPool(
      { name: 'embedding', script, size, startTimeoutMs, init: local, recycleAboveMb },
      logger,
    );
  }

  async start(): Promise<void> {
    try {
      await this.pool.start();
    } catch (cause) {
      if (!(cause instanceof ProcessLost)) throw cause;
      const message = `The embedding model ${this.model.id} cannot be loaded. ${cause.message}`;
      throw new AppError('MODEL_NOT_AVAILABLE', message, { model: this.model.id }, { cause });
    }
  }

  async embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<Vector[]> {
    signal?.throwIfAborted();
    const prefix = purpose === 'query' ? this.model.queryPrefix : this.model.passagePrefix;
    const prefixed = prefix === '' ? texts : texts.map((text) => prefix + text);
    const vectors = await this.compute(prefixed, purpose, signal);
    checkVectors(vectors, texts.length, this.model.dimension);
    return vectors;
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  /** As many portions at a time as there are processes, so that several documents get on side by side. */
  private async compute(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal?: AbortSignal,
  ): Promise<Vector[]> {
    const portions = new Portions(texts, this.config.processes);
    const vectors = new Array<Vector>(texts.length);
    const work = async (): Promise<void> => {
      for (let portion = portions.next(); portion.length > 0; portion = portions.next()) {
        const computed = await this.computePortion(
          portion.map((index) => texts[index] ?? ''),
          purpose,
        );
        portion.forEach((index, at) => {
          vectors[index] = computed.slice(at * this.model.dimension, (at + 1) * this.model.dimension);
        });
      }
    };
    try {
      await unlessAborted(Promise.all(Array.from({ length: this.config.processes }, work)), signal);
      return vectors;
    } finally {
      portions.close();
    }
  }

  private async computePortion(texts: readonly string[], purpose: 'query' | 'passage'): Promise<Float32Array> {
    try {
      const timeoutMs = this.config.textTimeoutMs * texts.length;
      return await this.pool.run({ texts }, { timeoutMs, urgent: purpose === 'query' });
    } catch (error) {
      if (error instanceof ProcessLost) throw new EmbedderLost(error);
      if (purpose === 'query' && error instanceof AppError && error.code === 'CHUNK_LIMIT') {
        throw new AppError('INVALID_REQUEST', error.message, { fields: [{ path: 'query', message: error.message }] });
      }
      throw error;
    }
  }
}

/** The work's outcome, or the signal's reason as soon as it is aborted; the work itself goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}
