import { AppError, type ErrorCode } from '../domain/errors.js';
import type { ProcessLimits } from './parent-watch.js';

/** What a parent says to its child. `init` comes once and first. */
export type ToChild = { type: 'init'; init: unknown; limits: ProcessLimits } | { type: 'request'; request: unknown };

/** What a child says: that a request reached it, and one answer for each message of the parent. */
export type FromChild = { type: 'taken' } | Answer;

/** The answer to an `init` or a `request`. */
export type Answer =
  | { type: 'ready' }
  | { type: 'response'; response: unknown; rssBytes: number }
  | { type: 'failed'; error: WireError; rssBytes: number };

/** An error as it crosses the process boundary: a foreseen one whole, any other as what the log needs. */
export type WireError = { message: string; stack: string; cause?: WireError } & (
  { kind: 'foreseen'; code: ErrorCode; details: Readonly<Record<string, unknown>> } | { kind: 'bug'; name: string }
);

/** Takes an error apart for the wire. */
export function encodeError(error: unknown): WireError {
  if (!(error instanceof Error)) return { kind: 'bug', name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '', cause } = error;
  const common = { message, stack, ...(cause instanceof Error ? { cause: encodeError(cause) } : {}) };
  if (error instanceof AppError) return { ...common, kind: 'foreseen', code: error.code, details: error.details };
  return { ...common, kind: 'bug', name };
}

/** Rebuilds an error from the wire: an AppError, or an Error with its name; both with the stack they had in the child. */
export function decodeError(wire: WireError): Error {
  const options = wire.cause ? { cause: decodeError(wire.cause) } : {};
  if (wire.kind === 'foreseen') {
    return Object.assign(new AppError(wire.code, wire.message, wire.details, options), { stack: wire.stack });
  }
  return Object.assign(new Error(wire.message, options), { name: wire.name, stack: wire.stack });
}
