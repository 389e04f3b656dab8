import { startApi } from './composition/api-role.js';
import { layGround } from './composition/ground.js';
import { Lifecycle } from './composition/lifecycle.js';
import { meterWorkload, startObservation } from './composition/observation.js';
import { findTextParts, startTextParts } from './composition/text-parts.js';
import { startRelay, startUpkeep } from './composition/upkeep-role.js';
import { startWorker } from './composition/worker-role.js';
import type { AppConfig } from './config/app-config.js';
import type { Role } from './config/areas/process-settings.js';
import { requireAddress } from './http/http-server.js';
import type { Logger } from './logging/logger.js';
import { Metrics } from './metrics/metrics.js';
import { TaskMetrics } from './metrics/task-metrics.js';

/** Joins the parts of the configured roles, starts them in order and stops them in the opposite one. */
export class App {
  private readonly lifecycle: Lifecycle;
  private readonly metrics = new Metrics();

  /** @param onLost told if a part is lost for good: only another process can help. */
  constructor(
    private readonly config: AppConfig,
    logger: Logger,
    onLost: (error: Error) => void,
  ) {
    this.lifecycle = new Lifecycle(logger, onLost);
  }

  /** Gives the address of the API, if this process serves it. @throws StartRefusal with one sentence for a person. */
  async start(): Promise<string | undefined> {
    const { config, lifecycle, metrics } = this;
    if (this.has('api')) await requireAddress(config.http);
    const text = await findTextParts(config, lifecycle);
    const loading = this.has('api') || this.has('worker') ? startTextParts(text, lifecycle) : Promise.resolve();
    // Awaited below; if the ground fails first, this failure is of no more interest.
    loading.catch(() => undefined);
    const ground = await layGround(config, lifecycle, metrics, text.local.model.dimension);
    await loading;
    meterWorkload(ground, metrics, lifecycle);
    if (this.has('worker')) await startWorker(config, ground, text, new TaskMetrics(metrics), lifecycle);
    if (this.has('relay')) startRelay(ground, lifecycle);
    if (this.has('upkeep')) startUpkeep(config, ground, text, lifecycle);
    if (this.has('api')) return startApi(config, ground, text, metrics, lifecycle);
    if (config.process.observePort > 0) await startObservation(config, metrics, text, lifecycle);
    return undefined;
  }

  /** In bounded time; safe to call twice, and after a start that failed half way. */
  stop(): Promise<void> {
    return this.lifecycle.stop();
  }

  private has(role: Role): boolean {
    return this.config.process.roles.includes(role);
  }
}
