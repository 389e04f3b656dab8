import type { BreakSource } from '../breaks/break-source.js';
import { Packer } from '../breaks/packer.js';
import { SeparatorBreaks } from '../breaks/separator-breaks.js';
import type { Piece } from '../piece.js';
import type { Range } from '../source-text.js';
import { integerParam, textsParam, wordParam } from '../step-params.js';
import type { CutStrategy, StepSetting } from './cut-strategy.js';

/** Cuts at separators, the coarsest that the room reaches; with `merge` NONE at every first separator before that. */
export const cutBySeparators: CutStrategy = (piece, setting) => {
  const separators = textsParam(setting.params, 'separators');
  const [first, ...others] = separators;
  if (first === undefined || wordParam(setting.params, 'merge', ['FILL', 'NONE']) === 'FILL') {
    return fill(piece, separators, setting);
  }
  return splitAll(piece, first, setting).flatMap((part) => fill(part, others, setting));
};

function fill(piece: Piece, separators: readonly string[], setting: StepSetting): Piece[] {
  const { source, room, params } = setting;
  if (source.fits(piece, room)) return [piece];
  const breaks = separators.map((separator) => breaksAt(separator, piece, setting));
  return new Packer(source, { room, least: integerParam(params, 'minTokens'), breaks }).pack(piece, piece.rule);
}

function splitAll(piece: Piece, separator: string, setting: StepSetting): Piece[] {
  const { source } = setting;
  const breaks = breaksAt(separator, piece, setting);
  const parts: Piece[] = [];
  let start = piece.start;
  let at = breaks.next(start);
  while (start < piece.end) {
    if (at < piece.end && !source.isCut(start, at)) {
      at = breaks.next(source.cutFrom(start, at) - 1);
      continue;
    }
    const part = source.trim({ start, end: Math.min(at, piece.end) });
    if (part.start < part.end) parts.push({ ...part, rule: at < piece.end ? breaks.rule : piece.rule });
    start = at;
    at = breaks.next(start);
  }
  return parts;
}

function breaksAt(separator: string, range: Range, { source, params }: StepSetting): BreakSource {
  const keep = wordParam(params, 'keepSeparator', ['START', 'END']);
  return new SeparatorBreaks(source.text, range, separator, keep, `RECURSIVE:${printable(separator)}`);
}

/** Line ends and the like as a person can read them. */
function printable(separator: string): string {
  return JSON.stringify(separator).slice(1, -1);
}
