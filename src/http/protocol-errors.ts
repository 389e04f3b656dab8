import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../domain/errors.js';
import { invalidRequest } from './invalid-request.js';
import { problemMediaType, problemOf } from './problem.js';

/**
 * Answers what never became a request: headers without end, bytes that are no HTTP, requests that did not arrive in
 * time. Written by hand, because there is no response object; nothing is written into an answer that has begun.
 */
export function answerProtocolErrors(server: Server): void {
  const answering = new WeakMap<Socket, ServerResponse>();
  const remember = (request: { socket: Socket }, response: ServerResponse): void => {
    answering.set(request.socket, response);
  };
  server.prependListener('request', remember);
  server.prependListener('checkContinue', remember);
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const latest = answering.get(socket);
    const begun = latest !== undefined && latest.headersSent && !latest.writableFinished;
    if (socket.writable && !begun && error.code !== 'ECONNRESET') socket.write(rawAnswer(publicError(error)));
    socket.destroySoon();
  });
}

function publicError(error: NodeJS.ErrnoException): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE', 'The headers of the request are larger than 16 KB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    default:
      return invalidRequest([{ path: '', message: 'is not valid HTTP' }]);
  }
}

function rawAnswer(error: AppError): string {
  const requestId = randomUUID();
  const problem = problemOf(error, requestId, 'en');
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `Content-Type: ${problemMediaType}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
