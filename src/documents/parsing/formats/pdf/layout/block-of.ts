import { joinTexts } from './join-lines.js';
import type { TextBlock } from './laid-block.js';
import type { Line } from './line.js';
import { hasRoom, indentation, isCentred, type Extent, type FlowLine } from './line-flow.js';
import { parseMark } from './list-mark.js';

/** In sizes: a last line that ends so near to the end of its column may go on elsewhere. */
const nearlyFull = 3;
/** Letters of a line of code; more are further pages of a plan. */
const longestLine = 300;
/** Nobody ends a line within a word on purpose. */
const parted = /[\p{L}\p{N}][-‐]$/u;
const leader = /(?:\.\s?){4,}|…{2,}|(?:·\s?){4,}|_{6,}/;

/**
 * The block that lines become which belong together.
 *
 * @param band where the lines around begin and end, or could end.
 */
export function blockOf(part: readonly FlowLine[], band: Extent, column: Extent): TextBlock {
  const first = part[0] as FlowLine;
  const last = part.at(-1) ?? first;
  const { size } = first.line;
  const isMono = part.every(({ line }) => line.isMono);
  const mark = isMono ? undefined : parseMark(first.line.text);
  return {
    kind: 'text',
    text: isMono ? asItStands(part) : textOf(part, mark?.rest, band.end),
    lineCount: part.length,
    size,
    weight: part.reduce((least, { line }) => Math.min(least, line.weight), Infinity),
    isMono,
    ...(mark ? { mark } : {}),
    indent: first.start - column.start,
    isIndented: first.start - (part[1]?.start ?? band.start) > indentation * size,
    isFull: column.end - last.end < nearlyFull * size,
    isAtFoot: false,
    isColumnStart: false,
  };
}

/** Lines joined, but for those that were ended on purpose. */
function textOf(part: readonly FlowLine[], rest: string | undefined, edge: number): string {
  let text = rest ?? part[0]?.line.text ?? '';
  for (const [i, flow] of part.entries()) {
    const before = part[i - 1];
    if (!before) continue;
    const isMeant = (hasRoom(before, flow, edge) && !parted.test(before.line.text)) || leader.test(before.line.text);
    text = isMeant && !isCentred(before, flow, edge) ? `${text}\n${flow.line.text}` : joinTexts(text, flow.line.text);
  }
  return text;
}

/** Lines of a text of even letters, with the blanks that they begin with and those within. */
function asItStands(part: readonly FlowLine[]): string {
  const start = part.reduce((least, { line }) => Math.min(least, line.left), Infinity);
  return part
    .map(({ line, pitch = 0 }, i) => (i > 0 && pitch > 1.7 * line.size ? '\n' : '') + spacedText(line, start))
    .join('\n');
}

function spacedText({ pieces, text }: Line, start: number): string {
  const letters = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  const width = pieces.reduce((sum, { left, right }) => sum + right - left, 0) / Math.max(letters, 1);
  if (!(width > 0)) return text;
  let spaced = '';
  let end = start;
  for (const piece of pieces) {
    const isApart = piece.left - end > 0.5 * width;
    const place = Math.min(Math.round((piece.left - start) / width), longestLine);
    if (isApart) spaced += ' '.repeat(Math.max(place - spaced.length, 1));
    spaced += piece.text;
    end = piece.right;
  }
  return spaced;
}
