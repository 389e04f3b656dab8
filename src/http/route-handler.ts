import type { Request, RequestHandler } from 'express';
import type { Page } from '../domain/page.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { cursorOf } from './list-cursor.js';
import { RequestReader, type RequestInputs } from './read-request.js';
import type { ServiceLimits } from './request-limits.js';
import type { Route, RouteRequest } from './route.js';
import { sendAnswer } from './send-answer.js';

/** Makes a line of the route table a handler: read and check, call, answer. Rejections go to the error handler. */
export function routeHandler(route: Route, limits: ServiceLimits): RequestHandler {
  const reader = new RequestReader(route, limits);
  return async (request, response) => {
    const exchange = exchangeOf(response);
    exchange.takenBy(route.path, route.quiet);
    const inputs = await reader.read(request, response);
    await sendAnswer(response, await route.handle(new Call(exchange, request, inputs)));
  };
}

class Call implements RouteRequest<unknown, unknown, unknown> {
  readonly tenantId: string;

  constructor(
    private readonly exchange: Exchange,
    private readonly request: Request,
    private readonly inputs: RequestInputs,
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
