import { createHash } from 'node:crypto';
import type { PageRequest } from '../domain/page.js';
import type { FieldProblem } from './invalid-request.js';
import { listDefault, listLimit } from './request-limits.js';

/** What orders a list: ids, or ordinals and other small numbers. It bounds what a cursor can hold. */
export type ListKey = 'id' | 'ordinal';

const largest: Readonly<Record<ListKey, bigint>> = { id: 2n ** 63n - 1n, ordinal: 2n ** 31n - 1n };

/** Names a list by its path and filters, so that a cursor of one list is none of another. */
export function listName(path: string, filters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filters).filter(([name]) => name !== 'limit' && name !== 'cursor');
  given.sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([path, given]))
    .digest('base64url')
    .slice(0, 12);
}

/** The opaque text that asks for what follows `key` in `list`. */
export function cursorOf(list: string, key: string): string {
  return Buffer.from(`${list} ${key}`).toString('base64url');
}

/** The key in a cursor; undefined for one that this list did not give. */
export function keyIn(cursor: string, list: string, kind: ListKey): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const key = text.slice(list.length + 1);
  if (!/^(?:0|[1-9]\d{0,18})$/.test(key) || BigInt(key) > largest[kind]) return undefined;
  return cursorOf(list, key) === cursor ? key : undefined;
}

/** Reads `limit` and `cursor`; adds to `problems` what is wrong with them. */
export function readPage(
  { limit, cursor }: { readonly limit?: unknown; readonly cursor?: unknown },
  list: string,
  kind: ListKey,
  problems: FieldProblem[],
): PageRequest {
  const count = limit === undefined ? listDefault : countOf(limit);
  if (count === undefined) problems.push({ path: 'limit', message: `must be a whole number from 1 to ${listLimit}` });
  const after = typeof cursor === 'string' ? keyIn(cursor, list, kind) : undefined;
  if (cursor !== undefined && after === undefined) {
    problems.push({ path: 'cursor', message: 'must be the nextCursor of a page of this list' });
  }
  return { limit: count ?? listDefault, ...(after === undefined ? {} : { after }) };
}

function countOf(limit: unknown): number | undefined {
  if (typeof limit !== 'string' || !/^\d{1,4}$/.test(limit)) return undefined;
  const count = Number(limit);
  return count >= 1 && count <= listLimit ? count : undefined;
}
