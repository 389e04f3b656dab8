import { createHash } from 'node:crypto';

/** What makes a request the same one when it is sent again. */
export interface ComparedRequest {
  /** Method and path as the route table writes them. */
  readonly route: string;
  readonly params: object;
  readonly query: object;
  /** The JSON value as it was sent; of an upload its fields, its file name and the hash of its bytes. */
  readonly sent: unknown;
}

/** Equal for equal requests: the order of fields, blanks and ways of writing a number do not count. */
export function fingerprintOf(request: ComparedRequest): string {
  return createHash('sha256').update(JSON.stringify(request, inOrder)).digest('base64url');
}

/** Bodies are bounded in depth and size before they come here. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
