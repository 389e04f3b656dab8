import { AutoTokenizer, env, type PreTrainedTokenizer } from '@xenova/transformers';
import { basename, dirname } from 'node:path';

const matchesNothing = /(?!)/;

/** The model's tokenizer, for text that people wrote: `[SEP]` in a text is a bracket, a word and a bracket. */
export class PlainTokenizer {
  private constructor(private readonly tokenizer: PreTrainedTokenizer) {}

  /** Reads the tokenizer from the model's folder; never from the network. */
  static async load(folder: string): Promise<PlainTokenizer> {
    env.allowRemoteModels = false;
    env.localModelPath = dirname(folder);
    const tokenizer = await AutoTokenizer.from_pretrained(basename(folder), { local_files_only: true });
    // By now the vocabulary knows the special tokens. What remains to forget is to look for them in the text.
    tokenizer.added_tokens = [];
    tokenizer.added_tokens_regex = matchesNothing;
    return new PlainTokenizer(tokenizer);
  }

  /** The token ids of a text between the model's special tokens, however many there are. */
  encode(text: string): readonly number[] {
    return this.tokenizer.encode(text);
  }
}
