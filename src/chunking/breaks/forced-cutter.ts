import { AppError } from '../../domain/errors.js';
import type { BlockType } from '../../domain/text/block.js';
import type { Piece } from '../piece.js';
import type { Range, Room, SourceText } from '../source-text.js';
import { lastSpace, skipBlanks } from '../text/blanks.js';
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
const clauseMarks = '；;：:';
const phraseMarks = '，、,–—';

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
    const { text, outline } = this.source;
    const separated = (separator: string, rule: string): BreakSource =>
      new SeparatorBreaks(text, range, separator, 'END', rule);
    return [
      new UnitBreaks(outline, 'LIMIT:block', () => true),
      separated('\n\n', 'LIMIT:paragraph'),
      new ScannedBreaks('LIMIT:line', (from, to) => this.lastLineOfUnit(from, to)),
      new WindowSentences(this.source, 'LIMIT:sentence'),
      separated('\n', 'LIMIT:line'),
      new ScannedBreaks('LIMIT:clause', (from, to) => lastMark(text, clauseMarks, from, to)),
      new ScannedBreaks('LIMIT:phrase', (from, to) => lastMark(text, phraseMarks, from, to)),
      new ScannedBreaks('LIMIT:word', (from, to) => lastSpace(text, from + 1, to + 1)),
    ];
  }

  /** The last line end that belongs to something made of lines. */
  private lastLineOfUnit(from: number, to: number): number {
    const { text, outline } = this.source;
    const window = text.slice(from, to + 1);
    for (let at = window.lastIndexOf('\n'); at > 0; at = window.lastIndexOf('\n', at - 1)) {
      if (lineTypes.has(outline.units[outline.indexAt(from + at)]?.type)) return from + at;
    }
    return -1;
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

/** The last place behind one of the marks; before a digit a mark is mostly part of a number. */
function lastMark(text: string, marks: string, from: number, to: number): number {
  const last = (mark: string): number => {
    const window = text.slice(from, to);
    let at = window.lastIndexOf(mark);
    while (at >= 0 && isDigit(text.charCodeAt(from + at + 1))) at = at > 0 ? window.lastIndexOf(mark, at - 1) : -1;
    return at < 0 ? -1 : from + at + 1;
  };
  return Math.max(...Array.from(marks, last));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
