const candidates = [',', ';', '\t', '|'] as const;
const sampleRows = 100;
const sampleUnits = 65_536;

/** What parts the fields of a separated text, and where its records begin. */
export interface Separation {
  readonly delimiter: string;
  /** UTF-16 units before the first record: a line `sep=;` as Excel writes it. */
  readonly start: number;
}

/**
 * The delimiter by which most rows have the same number of fields, more than one; among equals the one that parts more.
 *
 * @param usual for the ending of the file; taken where nothing speaks against it.
 */
export function sniffDelimiter(text: string, usual: ',' | '\t'): Separation {
  const said = /^sep=(.)\n/.exec(text.slice(0, 6));
  if (said?.[1]) return { delimiter: said[1], start: said[0].length };
  const sample = text.slice(0, sampleUnits);
  let best: { delimiter: string; score: number } = { delimiter: usual, score: 0 };
  for (const delimiter of [usual, ...candidates.filter((candidate) => candidate !== usual)]) {
    const score = scoreOf(fieldCounts(sample, delimiter));
    if (score > best.score * 1.05) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, start: 0 };
}

/** Rows that agree on a number of fields, as a share of all, a little more for more fields. */
function scoreOf(counts: readonly number[]): number {
  const frequency = new Map<number, number>();
  for (const count of counts) if (count > 1) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  let best = 0;
  for (const [count, rows] of frequency) best = Math.max(best, (rows / counts.length) * (2 - 1 / count));
  return best;
}

/** Fields of the first records, as quotes and line ends part them. */
function fieldCounts(sample: string, delimiter: string): number[] {
  const counts: number[] = [];
  for (const record of recordsIn(sample, delimiter)) {
    if (record.hasText) counts.push(record.fields);
    if (counts.length === sampleRows) break;
  }
  return counts;
}

/** A quote counts at the start of a field only, or right behind one that closed: so a doubled one goes on. */
function* recordsIn(sample: string, delimiter: string): Generator<{ fields: number; hasText: boolean }> {
  let record = { fields: 1, hasText: false };
  let isQuoted = false;
  let mayOpen = true;
  for (const char of sample) {
    if (isQuoted) {
      if (char === '"') [isQuoted, mayOpen] = [false, true];
    } else if (char === '\n') {
      yield record;
      record = { fields: 1, hasText: false };
      mayOpen = true;
    } else {
      isQuoted = char === '"' && mayOpen;
      mayOpen = char === delimiter;
      if (mayOpen) record.fields += 1;
      record.hasText = true;
    }
  }
  yield record;
}
