import { integer } from '../setting.js';

/** The timed passes. */
export const upkeepSettings = {
  resendAfterMs: integer('RESEND_AFTER_MS', 15_000, {
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    doc: 'When a task that nobody claimed is sent again.',
  }),
  intervalMs: integer('UPKEEP_INTERVAL_MS', 2_000, {
    min: 100,
    max: 600_000,
    unit: 'ms',
    doc: 'Pause between two rounds of upkeep.',
  }),
  batchAhead: integer('BATCH_AHEAD', 500, {
    min: 1,
    max: 10_000,
    unit: 'tasks',
    doc: 'Live tasks of a batch at most; its other documents stay free for builds of their own.',
  }),
  relayIntervalMs: integer('RELAY_INTERVAL_MS', 500, {
    min: 50,
    max: 60_000,
    unit: 'ms',
    doc: 'Pause between two looks at an empty outbox.',
  }),
  tidyIntervalMs: integer('TIDY_INTERVAL_MS', 60_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'Pause between two runs of the passes that remove what is old or left over.',
  }),
  reconcileIntervalMs: integer('RECONCILE_INTERVAL_MS', 900_000, {
    min: 10_000,
    max: 604_800_000,
    unit: 'ms',
    doc: 'Pause between two comparisons of everything that is stored; what disagrees is mended.',
  }),
  fileSafeAgeMs: integer('FILE_SAFE_AGE_MS', 86_400_000, {
    min: 600_000,
    max: 2_592_000_000,
    unit: 'ms',
    doc: 'Age from which a file that no document names is removed.',
  }),
} as const;
