import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wildText } from '../../testing/generated-texts.js';
import { bundledModelFolder, loadReferenceTokenizer } from '../../testing/reference-tokenizer.js';
import { loadTokenCounter } from './load-token-counter.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tokenizer-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Json = Record<string, unknown>;

/** The bundled tokenizer with some of its parts replaced. */
async function writeTokenizer(change: (tokenizer: Json) => Json): Promise<void> {
  const bundled = JSON.parse(await readFile(path.join(bundledModelFolder, 'tokenizer.json'), 'utf8')) as Json;
  await writeFile(path.join(folder, 'tokenizer.json'), JSON.stringify(change(bundled)));
  await writeFile(path.join(folder, 'tokenizer_config.json'), JSON.stringify({ tokenizer_class: 'BertTokenizer' }));
}

describe('loading the token counter of a model', () => {
  it.each([
    ['a model of another kind', { model: { type: 'Unigram', vocab: [] } }, 'its model is of kind Unigram'],
    ['byte pairs', { model: { type: 'BPE', vocab: {}, merges: [] } }, 'its model is of kind BPE'],
    ['another normalizer', { normalizer: { type: 'Sequence' } }, 'its normalizer is of kind Sequence'],
    ['another pre-tokenizer', { pre_tokenizer: { type: 'Metaspace' } }, 'its pre-tokenizer is of kind Metaspace'],
    ['words that were added', { added_tokens: [{ content: 'acme', special: false }] }, 'it adds words of its own'],
    ['something that is no tokenizer', { model: null }, 'its model is of kind unknown'],
  ])('refuses %s with one clear sentence', async (_, part, reason) => {
    await writeTokenizer((tokenizer) => ({ ...tokenizer, ...part }));
    await expect(loadTokenCounter(folder)).rejects.toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
      message: expect.stringContaining(reason),
    });
    await expect(loadTokenCounter(folder)).rejects.toThrow('supported are BERT WordPiece tokenizers');
  });

  it('refuses a folder without a tokenizer, without telling its path', async () => {
    const failed = loadTokenCounter(folder);
    await expect(failed).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
    await expect(failed).rejects.toThrow(/^The model "tokenizer-\w+" has no readable tokenizer.json in its folder.$/);
  });

  it.each([
    ['a cased model', { lowercase: false, strip_accents: null, clean_text: true, handle_chinese_chars: true }],
    [
      'a model that keeps accents',
      { lowercase: true, strip_accents: false, clean_text: true, handle_chinese_chars: true },
    ],
    [
      'a model that cleans nothing',
      { lowercase: true, strip_accents: null, clean_text: false, handle_chinese_chars: false },
    ],
  ])('agrees with the reference on %s', async (_, normalizer) => {
    await writeTokenizer((tokenizer) => ({ ...tokenizer, normalizer: { type: 'BertNormalizer', ...normalizer } }));
    const [counter, reference] = [await loadTokenCounter(folder), await loadReferenceTokenizer(folder)];
    // What escapes a special token is not cleaned away by the last of these models.
    const text = wildText.map((wild) => wild.replaceAll('[', ''));
    fc.assert(
      fc.property(text, (wild) => counter.count(wild) === reference.count(wild)),
      { numRuns: 150 },
    );
  });

  it('counts the special tokens that the model adds', async () => {
    await writeTokenizer((tokenizer) => ({ ...tokenizer, post_processor: null }));
    expect((await loadTokenCounter(folder)).specialTokens).toBe(0);
    expect((await loadTokenCounter(bundledModelFolder)).specialTokens).toBe(2);
  });
});
