import type { ProbeResult } from '../readiness.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';

/** That the process answers. */
export class LiveView {
  @FlagField({ description: 'Always true: a process that is not live does not answer.', example: true })
  up!: boolean;
}

/** How one part is. */
export class DependencyView {
  @TextField({ description: 'Which part.', example: 'database' })
  name!: string;

  @FlagField({ description: 'Whether the service needs it.', example: true })
  needed!: boolean;

  @FlagField({ description: 'Whether it works.', example: true })
  up!: boolean;

  @IntegerField({
    description: 'ms since it last got something done; null if it has not yet or does not tell.',
    example: 120,
    min: 0,
    nullable: true,
  })
  lastProgressAgeMs!: number | null;

  @TextField({
    description: 'What is wrong with it, or how far it is.',
    example: 'The broker does not answer.',
    nullable: true,
  })
  detail!: string | null;
}

/** Whether the service can do its work. */
export class ReadyView {
  @FlagField({ description: 'Every needed part is up.', example: true })
  ready!: boolean;

  @ObjectListField({ description: 'The parts.' }, () => DependencyView)
  dependencies!: DependencyView[];
}

export function readyView(results: readonly ProbeResult[]): ReadyView {
  return {
    ready: results.every(({ needed, up }) => up || !needed),
    dependencies: results.map(({ name, needed, up, lastProgressAgeMs, detail }) => ({
      name,
      needed,
      up,
      lastProgressAgeMs: lastProgressAgeMs === undefined ? null : Math.round(lastProgressAgeMs),
      detail: detail ?? null,
    })),
  };
}
