import { integer } from '../setting.js';

/** Reading sources. */
export const parseSettings = {
  timeoutMs: integer('PARSE_TIMEOUT_MS', 120_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Longest reading of one source.',
  }),
  memoryMb: integer('PARSE_MEMORY_MB', 1_024, {
    min: 64,
    max: 65_536,
    unit: 'MB',
    doc: 'Memory of the process that reads a source.',
  }),
  textChars: integer('PARSE_MAX_CHARS', 60_000_000, {
    min: 1_000,
    max: 500_000_000,
    unit: 'characters',
    doc: 'Longest parsed text.',
  }),
} as const;
