import path from 'node:path';
import { AutoTokenizer, env, type PreTrainedTokenizer } from '@xenova/transformers';

/** The tokenizer that embeds, as the reference for counting. */
export interface ReferenceTokenizer {
  /** Tokens of a text as it is embedded: special tokens included, literal ones in the text escaped. */
  count(text: string): number;
  /** How many of them are the unknown token. */
  countUnknown(text: string): number;
}

const literalSpecialToken = /\[(?=(?:CLS|SEP|PAD|MASK|UNK)\])/g;

/** Loads the tokenizer of a model folder from disk only. */
export async function loadReferenceTokenizer(modelFolder: string): Promise<ReferenceTokenizer> {
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(modelFolder));
  const tokenizer: PreTrainedTokenizer = await AutoTokenizer.from_pretrained(path.basename(modelFolder));
  const encode = (text: string): number[] =>
    // A zero-width space disappears in normalisation, after special tokens were looked for.
    tokenizer.encode(text.replace(literalSpecialToken, '[\u200b'));
  const unknown = (tokenizer as unknown as { unk_token_id: number }).unk_token_id;
  return {
    count: (text) => encode(text).length,
    countUnknown: (text) => encode(text).filter((id) => id === unknown).length,
  };
}

/** Folder of the model that comes with the project. */
export const bundledModelFolder = path.resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2');
