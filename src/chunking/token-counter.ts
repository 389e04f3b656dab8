/** Counts the tokens of texts as one embedding model counts them. Everything in it is deterministic and without state. */
export interface TokenCounter {
  /** Tokens that the model adds to every text. */
  readonly specialTokens: number;
  /**
   * Tokens of a text, special tokens included, exactly as the model's own tokenizer gives them. What looks like a
   * special token in a text (`[CLS]`) counts as ordinary characters, because that is how it is embedded.
   */
  count(text: string): number;
  /** Counts a text once, so that any slice of it can be counted without reading the text again. */
  map(text: string): TokenMap;
}

/** Token counts of every slice of one text. Offsets are UTF-16 units; special tokens are not included. */
export interface TokenMap {
  /** Tokens of the whole text. */
  readonly tokens: number;
  /** How many of them stand for something that the model does not know. */
  readonly unknownTokens: number;
  /**
   * False where a slice may have fewer tokens than {@link count} says, never more: a tokenizer may read a character by
   * what stands around it.
   */
  readonly exact: boolean;
  /** Tokens of the slice as a text of its own. */
  count(start: number, end: number): number;
  /**
   * The last place in `[start, end]` up to which at most `budget` tokens fit, and that is `end` or the start of a word.
   * It is `start`, or lies before the first word, when not even that word fits.
   */
  fit(start: number, end: number, budget: number): number;
  /** The first place in `[start, end]` from which at most `budget` tokens follow up to `end`; a start of a word, or `end`. */
  fitBack(start: number, end: number, budget: number): number;
}
