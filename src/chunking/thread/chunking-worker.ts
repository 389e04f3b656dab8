import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../domain/errors.js';
import type { Block } from '../../domain/text/block.js';
import { packBlocks } from './block-columns.js';
import { unpackError, type ThreadAnswer, type ThreadData, type ThreadOrder, type Work } from './thread-messages.js';

/** Units of text in one message: copying them takes a few milliseconds, and the event loop turns in between. */
const partLength = 1_000_000;
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

/** One thread that cuts texts, one at a time. When it ends, it ends for good; its maker makes another. */
export class ChunkingWorker {
  /** False once the thread has ended. */
  alive = true;
  private readonly worker: Worker;
  private settle: ((answer: ThreadAnswer | Error) => void) | undefined;

  private constructor(modelFolder: string, memoryMb: number) {
    const workerData: ThreadData = { modelFolder };
    this.worker = new Worker(new URL('../chunking-thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.worker.on('message', (answer: ThreadAnswer) => this.settle?.(answer));
    this.worker.on('error', (error: Error & { code?: string }) => {
      this.end(error.code === outOfMemory ? tooLarge(error) : error);
    });
    this.worker.on('exit', () => this.end(new Error('The chunking thread ended.')));
  }

  /**
   * Starts a thread and loads the tokenizer of the model in it.
   *
   * @throws AppError MODEL_NOT_AVAILABLE
   */
  static async start(modelFolder: string, memoryMb: number): Promise<ChunkingWorker> {
    const worker = new ChunkingWorker(modelFolder, memoryMb);
    try {
      await worker.answer();
      return worker;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /**
   * Does one piece of work on a text.
   *
   * @throws AppError what the work failed with; TOO_LARGE if the thread ran out of memory.
   */
  async run(text: string, blocks: readonly Block[], work: Work): Promise<ThreadAnswer> {
    const answer = this.answer();
    // The thread can end while the text is on its way; the failure is still reported below.
    answer.catch(() => undefined);
    for (let start = 0; start < text.length && this.alive; start += partLength) {
      this.post({ kind: 'part', text: text.slice(start, start + partLength) });
      await setImmediate();
    }
    const columns = packBlocks(blocks);
    if (this.alive) this.post({ kind: 'work', blocks: columns, work }, [columns.buffer as ArrayBuffer]);
    return answer;
  }

  /** Ends the thread at once, whatever it does. */
  async terminate(): Promise<void> {
    this.alive = false;
    await this.worker.terminate();
  }

  private post(order: ThreadOrder, transfers: ArrayBuffer[] = []): void {
    this.worker.postMessage(order, transfers);
  }

  private answer(): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      this.settle = (answer) => {
        this.settle = undefined;
        if (answer instanceof Error) reject(answer);
        else if (answer.kind === 'failed') reject(unpackError(answer.error));
        else resolve(answer);
      };
    });
  }

  private end(error: Error): void {
    this.alive = false;
    this.settle?.(error);
  }
}

function tooLarge(cause: Error): AppError {
  return new AppError('TOO_LARGE', 'The text takes more memory than chunking may use.', {}, { cause });
}
