import type { ParseConfig } from '../config/app-config.js';
import { AppError } from '../domain/errors.js';
import type { ParsedText } from '../domain/text/block.js';
import type { Logger } from '../logging/logger.js';
import { ProcessLost } from '../processes/process-lost.js';
import { ProcessPool } from '../processes/process-pool.js';
import type { ParseRequest, ParseResponse } from './parse-process.js';
import { readText } from './text-file.js';
import { unpackBlocks } from './parsing/packed-blocks.js';
import type { ReadLimits } from './parsing/read-limits.js';

/** Bounds the memory that the structure of a text takes, here and wherever it is read again. */
const mostBlocks = 1_000_000;
const startTimeoutMs = 30_000;
/** A child that has read a large source gives its memory back by being replaced. */
const recycleAboveMb = 256;

/**
 * Reads sources in child processes, as many at once as there are slots: a source that makes its reader hang, crash or
 * eat memory costs that child and nothing else. The children are started with the first source.
 */
export class DocumentParser {
  private pool: Promise<ProcessPool<ParseRequest, ParseResponse>> | undefined;
  private stopped = false;

  constructor(
    private readonly config: ParseConfig,
    private readonly slots: number,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws AppError EMPTY, NO_TEXT, UNSUPPORTED_TYPE, ENCRYPTED, TOO_LARGE, CORRUPT, PARSER_TIMEOUT, PARSER_MEMORY, INVALID_REQUEST for an
   *   unknown encoding, WORKER_LOST if there is no child to read it; the signal's reason when aborted.
   */
  async parse(source: ParseRequest, signal?: AbortSignal): Promise<ParsedText> {
    const { blocks, ...parsed } = await this.read(source, signal);
    return { ...parsed, text: await readText(source.textPath), blocks: unpackBlocks(blocks) };
  }

  /** Ends the children; sources in hand are given up with WORKER_LOST. */
  async stop(): Promise<void> {
    this.stopped = true;
    const pool = await this.pool?.catch(() => undefined);
    await pool?.stop();
  }

  /** A child that just ended may have been killed from outside. If another one ends the same way, the source did it. */
  private async read(source: ParseRequest, signal: AbortSignal | undefined): Promise<ParseResponse> {
    try {
      return await this.readOnce(source, signal);
    } catch (error) {
      if (!(error instanceof ProcessLost) || error.reason !== 'exit' || this.stopped) throw this.judge(error);
    }
    return this.readOnce(source, signal).catch((error: unknown) => {
      throw this.judge(error);
    });
  }

  private async readOnce(source: ParseRequest, signal: AbortSignal | undefined): Promise<ParseResponse> {
    const pool = await this.started();
    return pool.run(source, { timeoutMs: this.config.timeoutMs, ...(signal ? { signal } : {}) });
  }

  private started(): Promise<ProcessPool<ParseRequest, ParseResponse>> {
    if (this.stopped) throw workerLost('The parser was stopped.');
    this.pool ??= this.start();
    return this.pool;
  }

  private async start(): Promise<ProcessPool<ParseRequest, ParseResponse>> {
    const { textChars, pages, depth, entries, inflatedMb, inflateRatio } = this.config;
    const inflatedBytes = inflatedMb * 1024 * 1024;
    const limits: ReadLimits = { textChars, blocks: mostBlocks, pages, depth, entries, inflatedBytes, inflateRatio };
    const pool = new ProcessPool<ParseRequest, ParseResponse>(
      {
        name: 'parse',
        script: new URL('./parse-process.js', import.meta.url),
        size: this.slots,
        memoryMb: this.config.memoryMb,
        cpuMs: this.config.cpuMs,
        startTimeoutMs,
        init: limits,
        recycleAboveMb,
      },
      this.logger,
    );
    try {
      await pool.start();
      return pool;
    } catch (error) {
      this.pool = undefined;
      await pool.stop();
      throw workerLost('The process that reads files could not be started.', error);
    }
  }

  private judge(error: unknown): unknown {
    if (!(error instanceof ProcessLost)) return error;
    const { timeoutMs, cpuMs, memoryMb } = this.config;
    const tooMuch = (code: 'PARSER_TIMEOUT' | 'PARSER_MEMORY', of: string): AppError =>
      new AppError(code, `Reading the file took more than ${of}.`, {}, { cause: error });
    switch (error.reason) {
      case 'timeout':
        return tooMuch('PARSER_TIMEOUT', `${timeoutMs} ms`);
      case 'cpu':
        return tooMuch('PARSER_TIMEOUT', `${cpuMs} ms of processor time`);
      case 'memory':
        return tooMuch('PARSER_MEMORY', `${memoryMb} MB`);
      case 'exit':
        if (this.stopped) return workerLost('The parser was stopped.', error);
        return new AppError(
          'CORRUPT',
          'The program that reads files broke down on this one, twice.',
          {},
          { cause: error },
        );
    }
  }
}

function workerLost(message: string, cause?: unknown): AppError {
  return new AppError('WORKER_LOST', message, {}, cause === undefined ? {} : { cause });
}
