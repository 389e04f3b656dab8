import type { Response } from 'express';
import { AppError, errorTable } from '../domain/errors.js';
import { errorStatuses } from './error-table.js';
import { exchangeOf } from './exchange.js';
import { invalidRequest } from './invalid-request.js';
import { problemMediaType, problemOf } from './problem.js';
import { RequestAborted } from './request-aborted.js';
import { sendJson } from './send-answer.js';

/** Answers whatever was thrown: its problem, or a 500 that tells nothing of a bug but its request id. */
export function sendProblem(response: Response, thrown: unknown, headers: Readonly<Record<string, string>> = {}): void {
  const exchange = exchangeOf(response);
  if (thrown instanceof RequestAborted || (isAbort(thrown) && response.destroyed)) {
    response.destroy();
    return;
  }
  const error = publicError(thrown);
  exchange.logError(thrown, error.code);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, retryAfter } = errorStatuses[error.code];
  sendJson(response, status, problemOf(error, exchange.requestId, exchange.language), {
    'Content-Type': `${problemMediaType}; charset=utf-8`,
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    ...headers,
  });
}

function publicError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isAbort(thrown)) return new AppError('TOO_BUSY', 'The service is stopping.');
  // Express marks what it could not decode in a path; any other URIError is a bug.
  if (thrown instanceof URIError && 'status' in thrown) {
    return invalidRequest([{ path: '', message: 'has a path that is not valid percent-encoding' }]);
  }
  return new AppError('INTERNAL_ERROR', `${errorTable.INTERNAL_ERROR.title}.`, {}, { cause: thrown });
}

/** What waits on an exchange's signal rejects with when the client goes away or the server stops. */
function isAbort(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | null)?.name === 'AbortError';
}
