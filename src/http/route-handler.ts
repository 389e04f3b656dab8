import type { Request, RequestHandler } from 'express';
import type { Once } from '../database/once.js';
import type { Page } from '../domain/page.js';
import type { Answer } from './answer.js';
import { exchangeOf, type Exchange } from './exchange.js';
import type { KeyedCall, KeyedCalls } from './idempotency/keyed-calls.js';
import { fingerprintOf } from './idempotency/request-fingerprint.js';
import { cursorOf } from './list-cursor.js';
import { RequestReader, type RequestInputs } from './read-request.js';
import type { ServiceLimits } from './request-limits.js';
import type { Route, RouteRequest, UploadBody, StoredBytes } from './route.js';
import { sendAnswer } from './send-answer.js';

/**
 * Makes a line of the route table a handler: read and check, call, answer. Rejections go to the error handler.
 *
 * @param keyed carries requests with a key out; only a table in which nothing is created can do without.
 */
export function routeHandler(route: Route, limits: ServiceLimits, keyed: KeyedCalls | undefined): RequestHandler {
  if (route.creates && !keyed) throw new Error(`${route.method} ${route.path} creates, and nobody keeps its keys`);
  const reader = new RequestReader(route, limits);
  return async (request, response) => {
    const exchange = exchangeOf(response);
    exchange.takenBy(route.path, route.quiet);
    const inputs = await reader.read(request, response);
    const handle = async (once?: Once): Promise<Answer> => route.handle(new Call(exchange, request, inputs, once));
    const call = keyedCall(route, exchange, inputs, handle);
    await sendAnswer(response, await (call && keyed ? keyed.answer(call) : handle()));
  };
}

/** Undefined where the client sent no key. */
function keyedCall(
  route: Route,
  exchange: Exchange,
  { idempotencyKey: key, params, query, sent, body }: RequestInputs,
  run: KeyedCall['run'],
): KeyedCall | undefined {
  if (key === undefined) return undefined;
  const fingerprint = fingerprintOf({ route: `${route.method} ${route.path}`, params, query, sent });
  const discard = async (): Promise<void> => {
    if (route.body?.kind !== 'upload') return;
    await route.body.target.discard((body as UploadBody<object, StoredBytes>).file.stored);
  };
  return { tenantId: exchange.tenantId, key, fingerprint, signal: exchange.signal, run, discard };
}

class Call implements RouteRequest<unknown, unknown, unknown> {
  readonly tenantId: string;

  constructor(
    private readonly exchange: Exchange,
    private readonly request: Request,
    private readonly inputs: RequestInputs,
    readonly once: Once | undefined,
  ) {
    this.tenantId = exchange.tenantId;
  }

  get params(): unknown {
    return this.inputs.params;
  }

  get query(): unknown {
    return this.inputs.query;
  }

  get body(): unknown {
    return this.inputs.body;
  }

  get page(): RequestInputs['page'] {
    return this.inputs.page;
  }

  get language(): Exchange['language'] {
    return this.exchange.language;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  header(name: string): string | undefined {
    return this.request.get(name);
  }

  pageView<T>(page: Page<T>, view: (item: T) => object): { items: object[]; nextCursor: string | null } {
    return {
      items: page.items.map(view),
      nextCursor: page.next === null ? null : cursorOf(this.inputs.list, page.next),
    };
  }
}
