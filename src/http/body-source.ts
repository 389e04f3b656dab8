import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../domain/errors.js';

/** True where a request announces a body of at least one byte, or one of unknown length. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The announced length in bytes; undefined for a chunked body. */
export function announcedLength(request: IncomingMessage): number | undefined {
  const length = request.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Media type and parameters of a request, lower-case; undefined where it names none. */
export function contentTypeOf(request: IncomingMessage): { type: string; charset?: string } | undefined {
  const header = request.headers['content-type'];
  if (header === undefined) return undefined;
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(text)?.[1]).find(Boolean);
  return { type: type.trim(), ...(charset === undefined ? {} : { charset }) };
}

/** Refuses a compressed body: its size could not be judged by what arrives. */
export function refuseContentEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed: leave Content-Encoding out.');
}

/** Tells a client that asked (`Expect: 100-continue`) that its body is wanted. Refusals before this save it the sending. */
export function invite(request: IncomingMessage, response: ServerResponse): void {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
}

/** The answer to a body over a limit, which names it. */
export function tooLarge(what: string, limit: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `${what} is larger than the limit of ${limit} bytes.`, { limit });
}
