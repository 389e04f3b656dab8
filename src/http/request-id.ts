import { randomUUID } from 'node:crypto';

const sane = /^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}$/;

/** The id of a request: the caller's X-Request-Id where it is short and plain, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && sane.test(header) ? header : randomUUID();
}
