import type { AppConfig } from '../config/app-config.js';
import { createApplication } from '../http/application.js';
import { HttpServer } from '../http/http-server.js';
import { serviceLimits } from '../http/request-limits.js';
import { observationRoutes } from '../http/routes/service-routes.js';
import type { Metrics } from '../metrics/metrics.js';
import { WorkloadMetrics } from '../metrics/workload-metrics.js';
import type { Ground } from './ground.js';
import type { Lifecycle } from './lifecycle.js';
import type { TextParts } from './text-parts.js';

/** Has the metrics tell what is waiting, whoever serves them. */
export function meterWorkload({ workload }: Ground, metrics: Metrics, lifecycle: Lifecycle): void {
  new WorkloadMetrics(metrics, workload, lifecycle.logger.child({ part: 'metrics' }));
}

/** Serves health and metrics of a process that has no API. @throws StartRefusal if it cannot listen there. */
export async function startObservation(
  config: AppConfig,
  metrics: Metrics,
  { terms }: TextParts,
  lifecycle: Lifecycle,
): Promise<void> {
  const stopping = new AbortController();
  const application = createApplication({
    routes: observationRoutes(lifecycle.probes, metrics),
    limits: serviceLimits(config.http, terms.limits),
    log: lifecycle.logger.child({ part: 'http' }),
    stopping: stopping.signal,
  });
  const { observePort: port, stopGraceMs } = config.process;
  const server = new HttpServer(application, { ...config.http, port, stopGraceMs }, stopping);
  lifecycle.add('observation', () => server.stop());
  await server.start();
}
