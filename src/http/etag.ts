import { createHash } from 'node:crypto';

/** A weak ETag of what a value says, whatever changes with every look left out by the caller. */
export function etagOf(value: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;
}

/** True if an If-None-Match header names the ETag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim() === '*' || weak(tag) === weak(etag));
}
