import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../domain/errors.js';
import { allFixtures } from '../../testing/fixtures/all-fixtures.js';
import { mutate, seededRandom } from '../../testing/mutations.js';
import { readBytes } from '../../testing/read-bytes.js';
import { knownFormats } from './formats/known-formats.js';

/** More by `FUZZ_RUNS`; the seed is the number of the run, so that a failure can be repeated alone. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 40);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const limits = {
  textChars: 1_000_000,
  blocks: 50_000,
  pages: 200,
  depth: 200,
  inflatedBytes: 20_000_000,
  inflateRatio: 200,
};

const foreseen: ReadonlySet<string> = new Set([
  'EMPTY',
  'NO_TEXT',
  'UNSUPPORTED_TYPE',
  'ENCRYPTED',
  'CORRUPT',
  'TOO_LARGE',
]);

/** What became of a source: its text, or the code of an error that names what is wrong. */
async function outcome(bytes: Uint8Array, fileName: string): Promise<string> {
  try {
    const { text, blocks } = await readBytes(bytes, { fileName }, limits);
    const points = [...text].length;
    let end = 0;
    for (const { charStart, charEnd } of blocks) {
      if (charStart < end || charEnd < charStart || charEnd > points) return 'blocks that do not fit the text';
      end = charEnd;
    }
    return text.trim() === '' ? 'no text, and no error' : 'text';
  } catch (error) {
    if (error instanceof AppError && foreseen.has(error.code)) return error.code;
    throw error;
  }
}

describe('reading', () => {
  it('has a source of every format to be tried with', async () => {
    const types = await Promise.all(
      allFixtures.map(async ({ bytes, fileName }) => (await readBytes(bytes, { fileName })).mediaType),
    );
    expect(new Set(types)).toEqual(new Set(Object.values(knownFormats).map(({ mediaType }) => mediaType)));
  });

  it.each(allFixtures.map(({ name, ...fixture }) => [name, fixture] as const))(
    'gives text or a named error for %s, however it was damaged',
    async (_, { bytes, fileName }) => {
      expect(await outcome(bytes, fileName)).toBe('text');
      for (let run = 0; run < runs; run += 1) {
        const damaged = mutate(bytes, seededRandom(seed * 1_000_003 + run));
        const became = await outcome(damaged, fileName);
        if (became !== 'text' && !foreseen.has(became)) throw new Error(`run ${run} of seed ${seed}: ${became}`);
      }
    },
    120_000,
  );
});
