import type { Request, Response } from 'express';
import type { Language } from '../domain/coded-value.js';
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { defaultTenant, type TenantId } from '../domain/ids/id.js';
import type { LogFields, Logger } from '../logging/logger.js';
import { continueTrace, type TraceContext } from '../tracing/trace-context.js';
import { traceFields } from '../tracing/trace-scope.js';
import { languageOf } from './language.js';
import { requestIdOf } from './request-id.js';

/** Told of every request when its answer has ended. */
export interface RequestObserver {
  /** @param route the path with its parameters' names; `none` where nothing took the request. */
  observe(method: string, route: string, status: number | undefined, seconds: number): void;
}

/** One request and its answer as the server sees them: identity, language, log, end. */
export class Exchange {
  readonly requestId: string;
  /** This request as a hop of the trace that its caller names, or of a new one. */
  readonly trace: TraceContext;
  readonly tenantId: TenantId = defaultTenant;
  private route = 'none';
  private quiet = false;
  private ids: LogFields = {};
  /** Code of the error it was answered with. */
  private code: ErrorCode | undefined;
  private readonly startedAt = performance.now();
  private childLog: Logger | undefined;
  private chosenLanguage: Language | undefined;
  private ending: AbortController | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly parentLog: Logger,
    private readonly stopping: AbortSignal,
  ) {
    this.requestId = requestIdOf(request.headers['x-request-id']);
    const { traceparent, tracestate } = request.headers;
    this.trace = continueTrace({ traceparent, tracestate });
  }

  private get log(): Logger {
    return (this.childLog ??= this.parentLog.child({ requestId: this.requestId, ...traceFields(this.trace) }));
  }

  get language(): Language {
    return (this.chosenLanguage ??= languageOf(this.request.headers['accept-language']));
  }

  /** Aborts when the client goes away or the server stops; made only for those who ask. */
  get signal(): AbortSignal {
    if (!this.ending) {
      const ending = (this.ending = new AbortController());
      const abort = (): void => ending.abort();
      if (this.stopping.aborted) abort();
      this.stopping.addEventListener('abort', abort, { once: true });
      this.response.once('close', () => {
        this.stopping.removeEventListener('abort', abort);
        if (!this.response.writableFinished) abort();
      });
    }
    return this.ending.signal;
  }

  /** Notes which route took the request, and the ids in its path. */
  takenBy(route: string, quiet = false): void {
    this.route = route;
    this.quiet = quiet;
    this.ids = { ...this.request.params };
  }

  /** Writes the access line: ids and figures, never what was sent. */
  end(observer: RequestObserver | undefined): void {
    const { method } = this.request;
    const { route } = this;
    const status = this.response.headersSent ? this.response.statusCode : undefined;
    const durationMs = performance.now() - this.startedAt;
    observer?.observe(method, route, status, durationMs / 1000);
    const fields: LogFields = {
      requestId: this.requestId,
      ...traceFields(this.trace),
      method,
      route,
      ...this.ids,
      status,
      code: this.code,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(this.response.writableFinished ? {} : { aborted: true }),
    };
    if (this.quiet) this.parentLog.debug('request', fields);
    else this.parentLog.info('request', fields);
  }

  /** Writes down an error that the access line alone does not explain. */
  logError(error: unknown, code: ErrorCode): void {
    this.code = code;
    const { kind } = errorTable[code];
    if (kind === 'bug') this.log.error('request failed', { code, route: this.route, error });
    else if (kind === 'dependency') this.log.warn('request refused', { code, route: this.route, error });
  }
}

const exchanges = new WeakMap<Response, Exchange>();

export function beginExchange(request: Request, response: Response, log: Logger, stopping: AbortSignal): Exchange {
  const exchange = new Exchange(request, response, log, stopping);
  exchanges.set(response, exchange);
  return exchange;
}

/** The exchange that an answer belongs to. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('an answer without an exchange: the intake did not run');
  return exchange;
}
