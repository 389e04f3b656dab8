import { Readable } from 'node:stream';
import type { StrategyDescriptor } from '../../chunking/strategy-catalogue.js';
import type { Page, PageRequest } from '../../domain/page.js';
import { ok, type Answer } from '../answer.js';
import { askAll, type ReadinessProbe } from '../readiness.js';
import type { ServiceLimits } from '../request-limits.js';
import { route, type Route } from '../route.js';
import { LiveView, readyView, ReadyView } from '../views/health-view.js';
import { LimitsView } from '../views/limits-view.js';
import { strategyView, StrategyView } from '../views/strategy-view.js';

/** What the service tells of itself. */
export interface ServiceFacts {
  readonly limits: ServiceLimits;
  /** In the order of their codes. */
  readonly strategies: readonly StrategyDescriptor[];
  readonly probes: readonly ReadinessProbe[];
  readonly metrics: MetricsText;
}

/** The process's metrics as text. */
export interface MetricsText {
  readonly contentType: string;
  read(): Promise<string>;
}

const tag = 'Service';
const retryAfterSeconds = 5;

/** Limits, strategies and health. */
export function serviceRoutes({ limits, strategies, probes, metrics }: ServiceFacts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/limits',
      tag,
      summary: 'The limits of the service',
      responses: { 200: { description: 'As configured.', shape: LimitsView } },
      handle: () => ok(limits),
    }),
    route({
      method: 'GET',
      path: '/strategies',
      tag,
      summary: 'The ways to cut a text',
      list: 'ordinal',
      responses: { 200: { description: 'A page of strategies.', items: StrategyView } },
      handle: (request) =>
        ok(request.pageView(strategyPage(strategies, request.page), (each) => strategyView(each, request.language))),
    }),
    ...observationRoutes(probes, metrics),
  ];
}

/** What whoever watches a process asks for; served by every process, with the API or without. */
export function observationRoutes(probes: readonly ReadinessProbe[], metrics: MetricsText): readonly Route[] {
  return [
    ...healthRoutes(probes),
    route({
      method: 'GET',
      path: '/metrics',
      tag,
      summary: 'Metrics of this process, in the text format of Prometheus',
      quiet: true,
      responses: { 200: { description: 'Requests, messages, tasks, and what is waiting.' } },
      handle: async () => {
        const text = await metrics.read();
        const headers = { 'Content-Type': metrics.contentType };
        return { status: 200, stream: Readable.from([text]), headers };
      },
    }),
  ];
}

function healthRoutes(probes: readonly ReadinessProbe[]): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/health/live',
      tag,
      summary: 'Whether the process answers',
      quiet: true,
      responses: { 200: { description: 'It does.', shape: LiveView } },
      handle: () => ok({ up: true }),
    }),
    route({
      method: 'GET',
      path: '/health/ready',
      tag,
      summary: 'Whether the service can do its work',
      quiet: true,
      responses: {
        200: { description: 'It can.', shape: ReadyView },
        503: { description: 'A part that it needs is down.', shape: ReadyView },
      },
      handle: async (): Promise<Answer> => {
        const view = readyView(await askAll(probes));
        if (view.ready) return ok(view);
        return { status: 503, json: view, headers: { 'Retry-After': String(retryAfterSeconds) } };
      },
    }),
  ];
}

/** Strategies are few and fixed; their codes are the keys of the pages. */
function strategyPage(all: readonly StrategyDescriptor[], { limit, after }: PageRequest): Page<StrategyDescriptor> {
  const rest = all.filter(({ code }) => code > Number(after ?? 0));
  const items = rest.slice(0, limit);
  return { items, next: rest.length > limit ? String(items.at(-1)?.code) : null };
}
