import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../domain/errors.js';
import {
  announcedLength,
  announcesBody,
  contentTypeOf,
  invite,
  refuseContentEncoding,
  tooLarge,
} from './body-source.js';
import { RequestAborted } from './request-aborted.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body once; undefined where there is none. Stops at the first byte over the limit, and leaves the rest to
 * be read away while the answer is on its way.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_JSON; RequestAborted.
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<unknown> {
  if (!announcesBody(request)) return undefined;
  refuseMediaType(request);
  refuseContentEncoding(request);
  if ((announcedLength(request) ?? 0) > limit) throw tooLarge('The JSON body', limit);
  invite(request, response);
  const bytes = await readBytes(request, limit);
  return bytes.length === 0 ? undefined : parse(bytes);
}

function refuseMediaType(request: IncomingMessage): void {
  const content = contentTypeOf(request);
  if (content?.type !== 'application/json') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  if (content.charset !== undefined && content.charset !== 'utf-8' && content.charset !== 'utf8') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'JSON bodies are UTF-8; send no other charset.');
  }
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      act();
    };
    const onData = (part: Buffer): void => {
      length += part.length;
      if (length <= limit) parts.push(part);
      else settle(() => reject(tooLarge('The JSON body', limit)));
    };
    const onEnd = (): void =>
      settle(() => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length)));
    const onClose = (): void => settle(() => reject(new RequestAborted()));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError('MALFORMED_JSON', 'The body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const at = /position (\d+)/.exec((error as SyntaxError).message)?.[1];
    throw new AppError('MALFORMED_JSON', `The body is not JSON${at ? `: the fault is at character ${at}` : ''}.`);
  }
}
