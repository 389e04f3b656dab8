import { AppError } from '../../domain/errors.js';
import { BertCharacters, type BertNormalisation } from './bert-characters.js';
import { PieceTrie } from './piece-trie.js';
import { WordPieceCounter } from './word-piece-counter.js';
import { WordPieces } from './word-pieces.js';

/** The parts of a `tokenizer.json` that matter here. */
interface TokenizerFile {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Readonly<Record<string, number>>;
    readonly unk_token?: string;
    readonly continuing_subword_prefix?: string;
    readonly max_input_chars_per_word?: number;
  };
  readonly normalizer?: {
    readonly type?: string;
    readonly clean_text?: boolean;
    readonly handle_chinese_chars?: boolean;
    readonly strip_accents?: boolean | null;
    readonly lowercase?: boolean;
  } | null;
  readonly pre_tokenizer?: { readonly type?: string } | null;
  readonly post_processor?: { readonly type?: string; readonly single?: readonly object[] } | null;
  readonly added_tokens?: readonly { readonly special?: boolean }[];
}

/**
 * The counter that a `tokenizer.json` of kind BERT WordPiece describes.
 *
 * @throws AppError MODEL_NOT_AVAILABLE for any other kind.
 */
export function readWordPieceTokenizer(described: unknown, model: string): WordPieceCounter {
  const file = (described ?? {}) as TokenizerFile;
  const reason = unsupported(file);
  if (reason) {
    const message = `The tokenizer of the model "${model}" is not supported: ${reason}; supported are BERT WordPiece tokenizers.`;
    throw new AppError('MODEL_NOT_AVAILABLE', message);
  }
  const characters = new BertCharacters(normalisationOf(file));
  const pieces = new WordPieces(characters, trieOf(file), file.model?.max_input_chars_per_word ?? 100);
  return new WordPieceCounter(pieces, specialTokensOf(file));
}

/** What keeps the tokenizer from being counted exactly. */
function unsupported(file: TokenizerFile): string | undefined {
  const { model, normalizer, pre_tokenizer: splitter, post_processor: frame } = file;
  if (model?.type !== 'WordPiece') return `its model is of kind ${model?.type ?? 'unknown'}`;
  if (typeof model.vocab !== 'object' || Array.isArray(model.vocab)) return 'it has no vocabulary';
  if (!model.unk_token || model.vocab[model.unk_token] === undefined) return 'it has no unknown token';
  if (!model.continuing_subword_prefix) return 'its pieces have no prefix';
  if (normalizer?.type !== 'BertNormalizer') return `its normalizer is of kind ${normalizer?.type ?? 'none'}`;
  if (splitter?.type !== 'BertPreTokenizer') return `its pre-tokenizer is of kind ${splitter?.type ?? 'none'}`;
  if (frame && frame.type !== 'TemplateProcessing' && frame.type !== 'BertProcessing') {
    return `its post-processor is of kind ${frame.type ?? 'unknown'}`;
  }
  if (file.added_tokens?.some((token) => token.special !== true)) return 'it adds words of its own to the vocabulary';
  return undefined;
}

function normalisationOf({ normalizer }: TokenizerFile): BertNormalisation {
  const lowercase = normalizer?.lowercase === true;
  return {
    cleanText: normalizer?.clean_text === true,
    separateIdeographs: normalizer?.handle_chinese_chars === true,
    lowercase,
    stripAccents: lowercase ? normalizer?.strip_accents !== false : normalizer?.strip_accents === true,
  };
}

function trieOf({ model }: TokenizerFile): PieceTrie {
  const prefix = model?.continuing_subword_prefix ?? '';
  const trie = new PieceTrie();
  for (const piece of Object.keys(model?.vocab ?? {})) {
    const continues = piece.length > prefix.length && piece.startsWith(prefix);
    trie.add(continues ? piece.slice(prefix.length) : piece, continues);
  }
  return trie;
}

function specialTokensOf({ post_processor: frame }: TokenizerFile): number {
  if (!frame) return 0;
  if (frame.type === 'BertProcessing') return 2;
  return (frame.single ?? []).filter((part) => 'SpecialToken' in part).length;
}
