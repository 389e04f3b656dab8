import type { RequestListener } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import helmet from 'helmet';
import { AppError } from '../domain/errors.js';
import type { Logger } from '../logging/logger.js';
import { documentationPages } from './documentation-pages.js';
import { exchangeOf, type RequestObserver } from './exchange.js';
import type { KeyedCalls } from './idempotency/keyed-calls.js';
import { intake } from './intake.js';
import { invalidRequest } from './invalid-request.js';
import type { ServiceLimits } from './request-limits.js';
import { routeHandler } from './route-handler.js';
import type { Route } from './route.js';
import { sendProblem } from './send-problem.js';

export interface ApplicationParts {
  readonly routes: readonly Route[];
  readonly limits: ServiceLimits;
  /** Needed as soon as a route creates something. */
  readonly keyed?: KeyedCalls;
  readonly log: Logger;
  readonly observer?: RequestObserver;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
}

/** Joins the route table with what surrounds every request. */
export function createApplication({
  routes,
  limits,
  keyed,
  log,
  observer,
  stopping,
}: ApplicationParts): RequestListener {
  const app = express();
  const takeIn = intake(log, stopping, observer);
  app.disable('x-powered-by');
  app.use(takeIn);
  app.use(requireHost);
  app.use(securityHeaders());
  app.use(routerOf(routes, limits, keyed));
  app.use(documentationPages(routes, limits));
  app.use(() => {
    throw new AppError('NOT_FOUND', 'There is nothing at this path.');
  });
  app.use(problemHandler);
  return (request, response) => {
    const [asked, answer] = [request as Request, response as Response];
    app(asked, answer, () => void takeIn(asked, answer, () => refuseTarget(answer)));
  };
}

/** Express gives back, before any of its handlers, a request whose target it cannot read as a URL. */
function refuseTarget(response: Response): void {
  sendProblem(response, invalidRequest([{ path: '', message: 'has a target that is not a URL' }]));
}

/** HTTP/1.1 wants it; Node's own refusal has no body. */
const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') next();
  else throw invalidRequest([{ path: '', message: 'has no Host header' }]);
};

/** Express tells handlers of errors by their four parameters. */
const problemHandler: ErrorRequestHandler = (error, _request, response, next) => {
  void next;
  sendProblem(response, error);
};

/** Helmet's defaults, without the order to load everything over TLS: the console is also used over plain HTTP. */
function securityHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
}

function routerOf(routes: readonly Route[], limits: ServiceLimits, keyed: KeyedCalls | undefined): Router {
  const router = express.Router({ caseSensitive: true });
  for (const [path, methods] of byPath(routes)) {
    const place = router.route(path);
    for (const route of methods) place[methodName(route)](routeHandler(route, limits, keyed));
    place.all(otherMethods(path, methods));
  }
  return router;
}

function methodName(route: Route): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}

/** Routes by path; paths with fixed words come before those with a parameter in the same place. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  const rank = (path: string): string => path.replace(/:\w+/g, '\uffff');
  return [...paths].sort(([left], [right]) => (rank(left) < rank(right) ? -1 : 1));
}

/** Tells what a path allows: as an answer to OPTIONS, and as the refusal of every other method. */
function otherMethods(path: string, methods: readonly Route[]): RequestHandler {
  const names = methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...names, 'OPTIONS'].join(', ');
  return (request, response) => {
    exchangeOf(response).takenBy(path);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: allow }).end();
      return;
    }
    const error = new AppError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; ${allow} are.`);
    sendProblem(response, error, { Allow: allow });
  };
}
