import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Answer, AnswerHeaders } from './answer.js';
import { RequestAborted } from './request-aborted.js';

/** Writes an answer. Rejects if its source breaks under it; then the connection is gone. @throws RequestAborted. */
export async function sendAnswer(response: Response, answer: Answer): Promise<void> {
  if ('json' in answer) return sendJson(response, answer.status, answer.json, answer.headers);
  if (!('stream' in answer)) {
    response.writeHead(answer.status, answer.headers).end();
    return;
  }
  // At once: the first bytes of a stream may be long in coming.
  response.writeHead(answer.status, answer.headers).flushHeaders();
  if (response.req.method === 'HEAD') {
    answer.stream.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(answer.stream, response);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ? new RequestAborted() : error;
  }
}

/** Writes JSON with its length, in one piece. */
export function sendJson(response: Response, status: number, body: object, headers: AnswerHeaders = {}): void {
  // As text: Node writes head and body in one call then.
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
