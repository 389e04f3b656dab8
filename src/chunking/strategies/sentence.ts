import { ListedBreaks } from '../breaks/listed-breaks.js';
import { Packer } from '../breaks/packer.js';
import { sentenceEnds } from '../breaks/sentence-ends.js';
import { integerParam } from '../step-params.js';
import type { CutStrategy } from './cut-strategy.js';

/** Gathers whole sentences as far as the room goes. */
export const cutBySentences: CutStrategy = (piece, { source, room, params }) => {
  const ends = sentenceEnds(source.text, source.outline, piece);
  const packing = { room, least: integerParam(params, 'minTokens'), breaks: [new ListedBreaks(ends, 'SENTENCE:end')] };
  return new Packer(source, packing).pack(piece, piece.rule);
};
