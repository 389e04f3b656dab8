import type { IncomingMessage } from 'node:http';

/**
 * Reads the rest of a body that nobody wants, for `forMs` at most; then the connection is closed. Closing it at once,
 * with bytes unread, would reset it, and the client could lose the answer.
 */
export function readAway(request: IncomingMessage, forMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), forMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
