import { integer } from '../setting.js';

/** How long tasks may take. What is over its limit ends as TIMEOUT. */
export const limitSettings = {
  stageMs: integer('STAGE_LIMIT_MS', 300_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'How long any stage may take; more is added by size.',
  }),
  parseMsPerMillion: integer('PARSE_LIMIT_MS', 60_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million bytes',
    doc: 'Added while a source is read, beside twice PARSE_TIMEOUT_MS.',
  }),
  cutMsPerMillion: integer('CUT_LIMIT_MS', 60_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million characters',
    doc: 'Added while a plan is recommended, a text is cut, or an index is verified.',
  }),
  embedMsPerMillion: integer('EMBED_LIMIT_MS', 3_600_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million characters',
    doc: 'Added while chunks are embedded.',
  }),
  attemptMs: integer('ATTEMPT_LIMIT_MS', 86_400_000, {
    min: 1_000,
    max: 604_800_000,
    unit: 'ms',
    doc: 'How long one attempt at a task may take, all stages together.',
  }),
} as const;
