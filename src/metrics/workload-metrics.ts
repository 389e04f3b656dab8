import type { Gauge } from 'prom-client';
import { TaskType, taskTypeTable } from '../domain/task/task-type.js';
import type { Logger } from '../logging/logger.js';
import type { QueuePage, ReadWorkload } from '../progress/read-workload.js';
import type { Metrics } from './metrics.js';

const everyType = { limit: 100 };
/** Readings closer together than this share one look at the database, in ms. */
const freshMs = 2_000;
/** How long a reading waits for the database, in ms; then it goes without. */
const patienceMs = 2_000;

/**
 * What is waiting, for how long, and who is there to do it: from the database, so every process that is asked says the
 * same. Where the database does not answer, the last figures are taken away and `indexwright_workload_known` is 0.
 */
export class WorkloadMetrics {
  private readonly tasks: Gauge<'type' | 'status'>;
  private readonly oldest: Gauge<'type'>;
  private readonly workers: Gauge<'type'>;
  private readonly lag: Gauge<'broker' | 'type'>;
  private readonly outbox: Gauge<'status'>;
  private readonly oldestOutbox: Gauge<never>;
  private readonly known: Gauge<never>;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;

  constructor(
    metrics: Metrics,
    private readonly workload: Pick<ReadWorkload, 'listQueues'>,
    private readonly logger: Logger,
  ) {
    // Each asks by itself, since all are read at once; one look serves them all.
    const gauge = <L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L> =>
      metrics.gauge({ name: `indexwright_${name}`, help, labels }, () => this.look());
    this.known = gauge('workload_known', '1 if the database said what is waiting.', []);
    this.tasks = gauge('tasks', 'Live tasks: waiting for a worker, running, or waiting for another try.', [
      'type',
      'status',
    ]);
    const oldest = 'Of the task that has waited longest for its first worker; 0 where none waits.';
    this.oldest = gauge('oldest_waiting_task_age_seconds', oldest, ['type']);
    this.workers = gauge('workers', 'Workers that are alive and take tasks of the type.', ['type']);
    const lag = 'Messages of the type that no consumer has acknowledged; NaN where the broker does not say.';
    this.lag = gauge('consumer_lag_messages', lag, ['broker', 'type']);
    const outbox = 'Messages that are stored and not sent: pending, or given up.';
    this.outbox = gauge('outbox_messages', outbox, ['status']);
    const oldestOutbox = 'Of the pending message that has waited longest; 0 where none waits.';
    this.oldestOutbox = gauge('outbox_oldest_age_seconds', oldestOutbox, []);
  }

  private look(): Promise<void> {
    if (performance.now() - this.lookedAt < freshMs) return Promise.resolve();
    return (this.looking ??= this.lookAtDatabase().finally(() => (this.looking = undefined)));
  }

  private async lookAtDatabase(): Promise<void> {
    try {
      this.show(await inTime(this.workload.listQueues(everyType)));
      this.known.set(1);
    } catch (error) {
      this.logger.warn('the workload could not be read for the metrics', { error });
      for (const gauge of [this.tasks, this.oldest, this.workers, this.lag, this.outbox]) gauge.reset();
      // One without labels cannot be taken away.
      this.oldestOutbox.set(NaN);
      this.known.set(0);
    }
    this.lookedAt = performance.now();
  }

  private show({ items, outbox, broker, drained }: QueuePage): void {
    for (const { taskType, waiting, running, retrying, oldestWaitingMs, workers, lag } of items) {
      const type = taskTypeTable[taskType].name;
      for (const [status, count] of Object.entries({ waiting, running, retrying }))
        this.tasks.set({ type, status }, count);
      this.oldest.set({ type }, seconds(oldestWaitingMs));
      this.workers.set({ type }, workers);
      this.lag.set({ broker, type }, lag ?? NaN);
    }
    for (const { broker, lags } of drained) {
      for (const type of Object.values(TaskType)) {
        this.lag.set({ broker, type: taskTypeTable[type].name }, lags?.get(type) ?? NaN);
      }
    }
    this.outbox.set({ status: 'pending' }, outbox.pending);
    this.outbox.set({ status: 'failed' }, outbox.failed);
    this.oldestOutbox.set(seconds(outbox.oldestPendingMs));
  }
}

function seconds(ms: number | null): number {
  return (ms ?? 0) / 1000;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
