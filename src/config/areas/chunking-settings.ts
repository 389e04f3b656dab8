import { integer } from '../setting.js';

/** Cutting. Limits are hard; a plan may only ask for less. */
export const chunkingSettings = {
  parentTokens: integer('PARENT_MAX_TOKENS', 4_096, {
    min: 64,
    max: 100_000,
    unit: 'tokens',
    doc: 'Most tokens of a parent chunk.',
  }),
  parentChars: integer('PARENT_MAX_CHARS', 16_000, {
    min: 200,
    max: 1_000_000,
    unit: 'characters',
    doc: 'Most code points of a parent chunk.',
  }),
  childChars: integer('CHILD_MAX_CHARS', 2_000, {
    min: 50,
    max: 100_000,
    unit: 'characters',
    doc: 'Most code points of a child chunk.',
  }),
} as const;
