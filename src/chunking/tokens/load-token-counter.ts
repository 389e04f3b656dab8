import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../domain/errors.js';
import type { TokenCounter } from '../token-counter.js';
import { readWordPieceTokenizer } from './word-piece-tokenizer.js';

/**
 * Makes the counter of the model in a folder from its `tokenizer.json`.
 *
 * @throws AppError MODEL_NOT_AVAILABLE if the file cannot be read, or describes a tokenizer that is not supported:
 *   a wrong count would be worse than none.
 */
export async function loadTokenCounter(modelFolder: string): Promise<TokenCounter> {
  const model = path.basename(modelFolder);
  const described = await readTokenizer(modelFolder, model);
  return readWordPieceTokenizer(described, model);
}

async function readTokenizer(modelFolder: string, model: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path.join(modelFolder, 'tokenizer.json'), 'utf8'));
  } catch (error) {
    const message = `The model "${model}" has no readable tokenizer.json in its folder.`;
    throw new AppError('MODEL_NOT_AVAILABLE', message, {}, { cause: error });
  }
}
