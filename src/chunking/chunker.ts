import { AppError } from '../domain/errors.js';
import type { PlanFeatures } from '../domain/plan/recommendation.js';
import type { PlanStep } from '../domain/plan/strategy.js';
import type { Block } from '../domain/text/block.js';
import type { ChunkLimits, CutResult } from '../domain/text/chunk.js';
import type { Logger } from '../logging/logger.js';
import { ChunkingWorker } from './thread/chunking-worker.js';
import { unpackCut } from './thread/packed-chunks.js';
import type { ThreadAnswer, Work } from './thread/thread-messages.js';

/** Most texts that wait for their turn. */
const longestLine = 64;
const usualMemoryMb = 2_048;

export interface ChunkerOptions {
  /** Folder of the embedding model, whose tokenizer counts. */
  readonly modelFolder: string;
  readonly limits: ChunkLimits;
  /** Most memory of one job; 2,048 if not given. */
  readonly memoryMb?: number;
}

/** A parsed text to look at. */
export interface MeasureRequest {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A parsed text to cut. Limits other than the chunker's own are those of a frozen build spec. */
export interface CutRequest extends MeasureRequest {
  readonly steps: readonly PlanStep[];
  readonly limits?: ChunkLimits;
}

interface Job {
  readonly request: MeasureRequest;
  readonly work: Work;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Cuts and measures texts in a thread of its own, one after the other, so that the caller's event loop stays free. An
 * abort ends the work at once; a crash is the error of that one job.
 */
export class Chunker {
  private readonly line: Job[] = [];
  private worker: ChunkingWorker | undefined;
  private busy = false;
  private stopped = false;

  constructor(
    private readonly options: ChunkerOptions,
    private readonly logger: Logger,
  ) {}

  /**
   * Starts the thread.
   *
   * @throws AppError MODEL_NOT_AVAILABLE if the model has no tokenizer that can be counted with.
   */
  async start(): Promise<void> {
    await this.aliveWorker();
  }

  /**
   * Cuts a text by a plan.
   *
   * @throws AppError PLAN_INVALID, CHUNK_LIMIT; TOO_LARGE if the memory is not enough; TOO_BUSY if too many wait or the
   *   chunker stops; the signal's reason when aborted.
   */
  async cut(request: CutRequest, signal?: AbortSignal): Promise<CutResult> {
    const limits = request.limits ?? this.options.limits;
    const answer = await this.enqueue(request, { kind: 'cut', steps: request.steps, limits }, signal);
    if (answer.kind !== 'cut') throw new Error(`the chunking thread answered ${answer.kind} to a cut`);
    return unpackCut(answer.cut, request.text);
  }

  /**
   * Measures a text for a recommendation.
   *
   * @throws AppError as {@link cut}.
   */
  async measure(request: MeasureRequest, signal?: AbortSignal): Promise<PlanFeatures> {
    const answer = await this.enqueue(request, { kind: 'measure' }, signal);
    if (answer.kind !== 'measured') throw new Error(`the chunking thread answered ${answer.kind} to a measurement`);
    return answer.features;
  }

  /** Ends the thread at once. Work in hand and work that waits fails with TOO_BUSY. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const job of this.line.splice(0)) job.reject(stopping());
    await this.worker?.terminate();
  }

  private enqueue(request: MeasureRequest, work: Work, signal: AbortSignal | undefined): Promise<ThreadAnswer> {
    signal?.throwIfAborted();
    if (this.stopped) throw stopping();
    if (this.line.length >= longestLine) {
      throw new AppError('TOO_BUSY', `${longestLine} texts wait to be cut already.`);
    }
    return new Promise<ThreadAnswer>((resolve, reject) => {
      this.line.push({ request, work, signal, resolve, reject });
      signal?.addEventListener('abort', this.leaveLine);
      void this.workOff();
    }).finally(() => signal?.removeEventListener('abort', this.leaveLine));
  }

  /** Takes out of the line what was aborted while it waited. */
  private readonly leaveLine = (): void => {
    const left = this.line.filter(({ signal }) => signal?.aborted);
    for (const job of left) {
      this.line.splice(this.line.indexOf(job), 1);
      job.reject(job.signal?.reason);
    }
  };

  private async workOff(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let job = this.line.shift(); job; job = this.line.shift()) await this.do(job);
    this.busy = false;
  }

  /** Never rejects: what goes wrong is the job's. */
  private async do(job: Job): Promise<void> {
    const { request, work, signal, resolve, reject } = job;
    let worker: ChunkingWorker | undefined;
    const abort = (): void => void worker?.terminate();
    try {
      worker = await this.aliveWorker();
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      resolve(await worker.run(request.text, request.blocks, work));
    } catch (error) {
      const reason: unknown = signal?.aborted ? signal.reason : this.stopped ? stopping() : error;
      if (reason === error && !(error instanceof AppError)) this.logger.warn('chunking failed', { error });
      reject(reason);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  private async aliveWorker(): Promise<ChunkingWorker> {
    if (this.worker?.alive) return this.worker;
    const worker = await ChunkingWorker.start(this.options.modelFolder, this.options.memoryMb ?? usualMemoryMb);
    if (this.stopped) {
      await worker.terminate();
      throw stopping();
    }
    this.worker = worker;
    return worker;
  }
}

function stopping(): AppError {
  return new AppError('TOO_BUSY', 'Chunking stops; try again in a few seconds.');
}
