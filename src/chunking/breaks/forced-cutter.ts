import { AppError } from '../../domain/errors.js';
import type { BlockType } from '../../domain/text/block.js';
import type { Piece } from '../piece.js';
import type { Range, Room, SourceText } from '../source-text.js';
import { isBlankAt, skipBlanks } from '../text/blanks.js';
import { firstBoundary, lastBoundary } from '../text/graphemes.js';
import type { BreakSource } from './break-source.js';
import { Packer, type Cut } from './packer.js';
import { ScannedBreaks } from './scanned-breaks.js';
import { SeparatorBreaks } from './separator-breaks.js';
import { UnitBreaks } from './unit-breaks.js';
import { WindowSentences } from './window-sentences.js';

const lineTypes: ReadonlySet<BlockType | undefined> = new Set<BlockType>([
  'code',
  'table',
  'html',
  'frontMatter',
  'listItem',
  'quote',
]);
const clauseEnd = /[；;：:]/;
const phraseEnd = /[，、,–—]/;

/**
 * Cuts what no rule could cut to size: as gently as the text allows, inside a word or even inside a character if there
 * is no other way.
 */
export class ForcedCutter {
  constructor(
    private readonly source: SourceText,
    private readonly room: Room,
  ) {}

  /** Pieces that all fit. Their last keeps the end of the piece that was cut. */
  cut(piece: Piece): Piece[] {
    const packer = new Packer(this.source, {
      room: this.room,
      least: 0,
      breaks: this.breaks(piece),
      force: (rest, reach) => this.insideWord(rest, reach),
    });
    const pieces = packer.pack(piece, piece.rule);
    const last = pieces.pop();
    return last ? [...pieces, piece.forced ? { ...last, forced: true } : last] : [];
  }

  private breaks(range: Range): BreakSource[] {
    const { source } = this;
    const { text, outline } = source;
    const separated = (separator: string, rule: string): BreakSource =>
      new SeparatorBreaks(text, range, separator, 'END', rule);
    const isLine = (at: number): boolean =>
      text[at] === '\n' && lineTypes.has(outline.units[outline.indexAt(at)]?.type);
    const endsWith =
      (mark: RegExp) =>
      (at: number): boolean =>
        mark.test(text[at - 1] ?? '') && !isDigit(text[at]);
    return [
      new UnitBreaks(outline, 'LIMIT:block', () => true),
      separated('\n\n', 'LIMIT:paragraph'),
      new ScannedBreaks('LIMIT:line', isLine),
      new WindowSentences(source, 'LIMIT:sentence'),
      separated('\n', 'LIMIT:line'),
      new ScannedBreaks('LIMIT:clause', endsWith(clauseEnd)),
      new ScannedBreaks('LIMIT:phrase', endsWith(phraseEnd)),
      new ScannedBreaks('LIMIT:word', (at) => isBlankAt(text, at)),
    ];
  }

  /** The longest beginning that fits, of whole characters if possible. */
  private insideWord(rest: Range, reach: number): Cut {
    const visible = skipBlanks(this.source.text, rest.start, rest.end);
    const longest = this.longestFitting(rest);
    const at =
      this.lastWholeCharacter(rest.start, visible, reach) ??
      this.lastWholeCharacter(rest.start, visible, longest) ??
      this.firstWholeCharacter(rest.start, visible) ??
      longest;
    if (at > visible) return { at, rule: 'LIMIT:character' };
    const { tokens, chars } = this.room;
    throw new AppError('CHUNK_LIMIT', `A single character does not fit into ${tokens} tokens and ${chars} characters.`);
  }

  /** A shorter part of a word can have more tokens than a longer one. */
  private lastWholeCharacter(start: number, visible: number, longest: number): number | undefined {
    for (let at = longest; at > visible; at -= 1) {
      at = lastBoundary(this.source.text, start, at);
      if (at > visible && this.source.fits({ start, end: at }, this.room)) return at;
    }
    return undefined;
  }

  private firstWholeCharacter(start: number, visible: number): number | undefined {
    const at = firstBoundary(this.source.text, visible);
    return at > visible && this.source.fits({ start, end: at }, this.room) ? at : undefined;
  }

  private longestFitting({ start, end }: Range): number {
    const { points } = this.source;
    const first = points.pointAt(start);
    const fits = (length: number): boolean =>
      this.source.fits({ start, end: points.unitAt(first + length) }, this.room);
    let longest = 0;
    let tooLong = Math.min(this.room.chars, points.count(start, end)) + 1;
    if (fits(tooLong - 1)) return points.unitAt(first + tooLong - 1);
    while (tooLong - longest > 1) {
      const middle = (longest + tooLong) >>> 1;
      if (fits(middle)) longest = middle;
      else tooLong = middle;
    }
    return points.unitAt(first + longest);
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
