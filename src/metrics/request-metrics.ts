import type { Histogram } from 'prom-client';
import { shortWaits, type Metrics } from './metrics.js';

/** Times what the HTTP API answers, by route, never by path: ids would make a series of their own each. */
export class RequestMetrics {
  private readonly took: Histogram<'method' | 'route' | 'status'>;

  constructor(metrics: Metrics) {
    const face = {
      name: 'indexwright_http_request_duration_seconds',
      help: 'From the arrival of a request to the end of its answer; held answers and streams have their waiting in it.',
      labels: ['method', 'route', 'status'] as const,
    };
    this.took = metrics.histogram(face, shortWaits);
  }

  /** @param status of the answer; none where the client left before it. */
  observe(method: string, route: string, status: number | undefined, seconds: number): void {
    this.took.observe(
      { method: knownMethods.has(method) ? method : 'other', route, status: status ?? 'none' },
      seconds,
    );
  }
}

/** A client may send anything as a method. */
const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
