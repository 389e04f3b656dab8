import { AppError, type ErrorCode } from '../../domain/errors.js';
import type { PlanFeatures } from '../../domain/plan/recommendation.js';
import type { PlanStep } from '../../domain/plan/strategy.js';
import type { ChunkLimits } from '../../domain/text/chunk.js';
import type { PackedCut } from './packed-chunks.js';

/** What a chunking thread is started with. */
export interface ThreadData {
  readonly modelFolder: string;
}

/** The work on a text. */
export type Work =
  | { readonly kind: 'cut'; readonly steps: readonly PlanStep[]; readonly limits: ChunkLimits }
  | { readonly kind: 'measure' };

/** To the thread: a text in parts, then what to do with it. */
export type ThreadOrder =
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'work'; readonly blocks: Int32Array; readonly work: Work };

/** From the thread: that it is ready, then one answer for each piece of work. */
export type ThreadAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'cut'; readonly cut: PackedCut }
  | { readonly kind: 'measured'; readonly features: PlanFeatures }
  | { readonly kind: 'failed'; readonly error: PackedError };

/** An error on its way between threads, where classes are lost. */
export interface PackedError {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly stack?: string;
}

export function packError(error: unknown): PackedError {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  if (isAllocationFailure(error)) {
    return { code: 'TOO_LARGE', message: 'The text takes more memory than chunking may use.' };
  }
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

export function unpackError({ code, message, details, stack }: PackedError): Error {
  if (code !== undefined) return new AppError(code, message, details);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function isAllocationFailure(error: unknown): boolean {
  return error instanceof RangeError && /allocation failed|invalid (?:array|string) length/i.test(error.message);
}
