import type { Counter, Histogram } from 'prom-client';
import { failureOf } from '../domain/errors.js';
import { stageTable } from '../domain/task/stage.js';
import { taskTypeTable } from '../domain/task/task-type.js';
import type { TaskStage } from '../worker/task-stage.js';
import type { WorkResult } from '../worker/work-result.js';
import { longWaits, type Metrics } from './metrics.js';

interface Reporter {
  report(result: WorkResult): Promise<void>;
}

/** Counts the attempts of this worker and times their stages. */
export class TaskMetrics {
  private readonly attempts: Counter<'type' | 'outcome' | 'code'>;
  private readonly stageTook: Histogram<'stage' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter({
      name: 'indexwright_task_attempts_total',
      help: 'Attempts that ended here: completed, failed (with the code), overdue, released or superseded.',
      labels: ['type', 'outcome', 'code'],
    });
    const face = {
      name: 'indexwright_stage_duration_seconds',
      help: 'What one run of a stage took, whether it was done or broke off.',
      labels: ['stage', 'outcome'] as const,
    };
    this.stageTook = metrics.histogram(face, longWaits);
  }

  /** The same stages, timed. */
  timed(stages: readonly TaskStage[]): TaskStage[] {
    return stages.map((inner) => ({ stage: inner.stage, run: (run) => this.time(inner, () => inner.run(run)) }));
  }

  /** The same reporter; what it is given is counted once it is stored. */
  counted(reporter: Reporter): Reporter {
    return {
      report: async (result) => {
        await reporter.report(result);
        this.count(result);
      },
    };
  }

  private async time<T>({ stage }: TaskStage, run: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let outcome = 'broken-off';
    try {
      const given = await run();
      outcome = 'done';
      return given;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      this.stageTook.observe({ stage: stageTable[stage].name, outcome }, seconds);
    }
  }

  private count(result: WorkResult): void {
    const type = taskTypeTable[result.run.task.taskType].name;
    const code = 'error' in result ? failureOf(result.error).code : '';
    this.attempts.inc({ type, outcome: result.type, code });
  }
}
