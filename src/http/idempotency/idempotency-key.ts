import type { FieldProblem } from '../invalid-request.js';

export const idempotencyKeyHeader = 'Idempotency-Key';

/** On an answer that was made for an earlier request with the same key. */
export const replayedHeader = 'Idempotency-Replayed';

const longestKey = 255;

/** The key that a request carries, if any. Node joins several such headers by a comma and a blank, which is no key. */
export function readIdempotencyKey(header: string | undefined, problems: FieldProblem[]): string | undefined {
  if (header === undefined) return undefined;
  if (/^[!-~]+$/.test(header) && header.length <= longestKey) return header;
  problems.push({
    path: idempotencyKeyHeader,
    message: `must be one key of 1 to ${longestKey} visible ASCII characters`,
  });
  return undefined;
}
