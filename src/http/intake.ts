import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger.js';
import { withTrace } from '../tracing/trace-scope.js';
import { beginExchange, type RequestObserver } from './exchange.js';
import { readAway } from './read-away.js';

/** How long the rest of a body that was refused is read away, so that the client sees its answer before the end. */
const lingerMs = 15_000;

/** Opens every exchange: its id, its headers, its trace, its line in the log, and its end. */
export function intake(log: Logger, stopping: AbortSignal, observer?: RequestObserver): RequestHandler {
  return (request, response, next) => {
    const exchange = beginExchange(request, response, log, stopping);
    response.setHeader('X-Request-Id', exchange.requestId);
    response.setHeader('Vary', 'Accept-Language');
    response.setHeader('Cache-Control', 'no-store');
    if (stopping.aborted) response.setHeader('Connection', 'close');
    response.once('finish', () => readAway(request, lingerMs));
    response.once('close', () => exchange.end(observer));
    withTrace(exchange.trace, next);
  };
}
