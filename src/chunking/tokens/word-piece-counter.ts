import type { TokenCounter, TokenMap } from '../token-counter.js';
import { WordMap } from './word-map.js';
import type { WordPieces } from './word-pieces.js';

/** Counts the tokens of a BERT WordPiece model. */
export class WordPieceCounter implements TokenCounter {
  constructor(
    private readonly pieces: WordPieces,
    readonly specialTokens: number,
  ) {}

  count(text: string): number {
    const { characters } = this.pieces;
    const settled = characters.dependsOnContext(text) ? characters.settleContext(text) : text;
    return this.map(settled).tokens + this.specialTokens;
  }

  map(text: string): TokenMap {
    return WordMap.of(text, this.pieces);
  }
}
