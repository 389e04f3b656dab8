import { integer } from '../setting.js';

/** Reading sources. What goes over a limit is refused with the limit and its value in the message. */
export const parseSettings = {
  timeoutMs: integer('PARSE_TIMEOUT_MS', 120_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Longest reading of one source.',
  }),
  cpuMs: integer('PARSE_CPU_MS', 180_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Most processor time for one source, all threads of its process together.',
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
  pages: integer('PARSE_MAX_PAGES', 10_000, {
    min: 1,
    max: 1_000_000,
    unit: 'pages',
    doc: 'Most pages, slides or sheets of a source.',
  }),
  depth: integer('PARSE_MAX_DEPTH', 500, {
    min: 10,
    max: 10_000,
    unit: 'levels',
    doc: 'Deepest nesting of elements in a source.',
  }),
  entries: integer('PARSE_MAX_ENTRIES', 10_000, {
    min: 10,
    max: 1_000_000,
    unit: 'entries',
    doc: 'Most files inside a source that is an archive, as Office files are.',
  }),
  inflatedMb: integer('PARSE_MAX_INFLATED_MB', 1_024, {
    min: 1,
    max: 65_536,
    unit: 'MB',
    doc: 'Most that the parts of such a source may come to when unpacked.',
  }),
  inflateRatio: integer('PARSE_MAX_RATIO', 500, {
    min: 10,
    max: 100_000,
    unit: 'times',
    doc: 'Most that one such part may grow when unpacked; asked from 1 MB on.',
  }),
} as const;
