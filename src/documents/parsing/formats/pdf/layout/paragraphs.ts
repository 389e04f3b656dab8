import { joinTexts } from './join-lines.js';
import type { TextBlock } from './laid-block.js';
import type { Line } from './line.js';
import type { FlowLine, PitchMemory } from './line-flow.js';
import { parseMark } from './list-mark.js';
import { raisedStart } from './raised-text.js';

/** In sizes: what counts as further in, and how much room a line must leave to have been ended on purpose. */
const indentation = 0.7;
const spareRoom = 0.6;
/** Times the usual distance of lines. */
const blankBetween = 1.3;
const blankInCode = 2.6;
/** Letters of a line of code; more are further pages of a plan. */
const longestLine = 300;
const sentenceEnd = /[.!?:;。！？：；…”"’)）\]]$/u;
/** Nobody ends a line within a word on purpose. */
const parted = /[\p{L}\p{N}][-‐]$/u;
/** Lines that end so near to the longest one are as full as it. */
const filledShare = 0.2;
const leader = /(?:\.\s?){4,}|…{2,}|(?:·\s?){4,}|_{6,}/;

/** The texts of a column, from its lines. */
export function paragraphsOf(lines: readonly FlowLine[], pitches: PitchMemory): TextBlock[] {
  const columnEdge = lines.reduce((most, flow) => Math.max(most, flow.end), -Infinity);
  return bandsOf(lines, columnEdge, pitches).flatMap((band) => {
    const edge = edgeOf(band, columnEdge);
    const start = Math.min(...band.map((line) => line.start));
    return partsOf(band, edge).map((part) => blockOf(part, edge, start, lines));
  });
}

/** Lines of one size that no blank parts. */
function bandsOf(lines: readonly FlowLine[], columnEdge: number, pitches: PitchMemory): FlowLine[][] {
  const bands: FlowLine[][] = [];
  for (const [i, flow] of lines.entries()) {
    const before = lines[i - 1];
    if (!before || isApart(before, flow, columnEdge, pitches)) bands.push([]);
    bands.at(-1)?.push(flow);
  }
  return bands;
}

/**
 * How far the lines of a band can reach: as far as they do, if they fill what they have; else as far as the column
 * does, for then somebody ended them.
 */
function edgeOf(band: readonly FlowLine[], columnEdge: number): number {
  const own = band.reduce((most, { end }) => Math.max(most, end), -Infinity);
  const start = band.reduce((least, flow) => Math.min(least, flow.start), Infinity);
  const filling = band.slice(0, -1).filter(({ end }) => own - end < filledShare * (own - start)).length;
  const isFilled = filling >= (band.length - 1) / 2 && (band.length > 3 || own - start > columnEdge - own);
  return isFilled ? own : columnEdge;
}

function isApart(before: FlowLine, flow: FlowLine, columnEdge: number, pitches: PitchMemory): boolean {
  const { line, pitch = 0 } = flow;
  const { line: last } = before;
  // A path or command in even letters may take a whole line of a text that flows.
  const isInline = last.isMono !== line.isMono && runsOn(before, flow, columnEdge, pitches);
  if (last.isMono !== line.isMono && !isInline) return true;
  if (!isInline && Math.abs(last.size - line.size) > 0.08 * Math.max(last.size, line.size)) return true;
  return pitch > (line.isMono ? blankInCode : blankBetween) * pitches.pitchOf(line.size);
}

function runsOn(before: FlowLine, flow: FlowLine, columnEdge: number, pitches: PitchMemory): boolean {
  if (hasRoom(before, flow, columnEdge) || before.start !== flow.start || before.line.text.endsWith(':')) return false;
  return (flow.pitch ?? 0) < 1.08 * pitches.pitchOf(Math.max(before.line.size, flow.line.size));
}

/** The lines of each paragraph or item. */
function partsOf(band: readonly FlowLine[], edge: number): FlowLine[][] {
  const parts: FlowLine[][] = [];
  for (const [i, flow] of band.entries()) {
    const before = band[i - 1];
    const part = parts.at(-1);
    if (!before || !part || begins(part, before, flow, edge)) parts.push([flow]);
    else part.push(flow);
  }
  return parts;
}

function begins(part: readonly FlowLine[], before: FlowLine, flow: FlowLine, edge: number): boolean {
  const { line, start } = flow;
  if (line.isMono || before.line.isMono) return false;
  const isFull = !hasRoom(before, flow, edge);
  if (line.weight !== before.line.weight && !(isFull && /^\p{Ll}/u.test(line.text))) return true;
  if (raisedStart.test(line.text)) return true;
  const mark = parseMark(line.text);
  // A full line may be followed by one that begins with a number or an initial by chance.
  const isChance = isFull && mark?.kind !== 'bullet' && !part.some((other) => parseMark(other.line.text));
  if (mark && !(isChance && Math.abs(start - before.start) < 1)) return true;
  if (isCentred(before, flow, edge)) return false;
  const further = start - before.start;
  const near = indentation * line.size;
  if (part.length === 1) {
    // A hanging text goes on further in; its first line is full.
    if (further > near) return !isFull && !isHanging(before, flow);
    return !isFull && sentenceEnd.test(before.line.text) && !isHanging(before, flow);
  }
  if (Math.abs(further) > near) return true;
  return !isFull && sentenceEnd.test(before.line.text);
}

/** The line before could have held the first word of this one: somebody ended it. */
function hasRoom(before: FlowLine, flow: FlowLine, edge: number): boolean {
  return edge - before.end > flow.firstWord + spareRoom * flow.line.size;
}

/** It goes on below the text of an item, not below its mark. */
function isHanging({ line, start }: FlowLine, flow: FlowLine): boolean {
  const found = parseMark(line.text);
  if (!found) return false;
  const text = line.pieces.find(({ left }) => left > line.left + 0.3 * line.size);
  return flow.start > start && (text === undefined || Math.abs(flow.line.left - text.left) < line.size);
}

function isCentred(before: FlowLine, flow: FlowLine, edge: number): boolean {
  const middles = (before.start + before.end) / 2 - (flow.start + flow.end) / 2;
  return Math.abs(middles) < 0.3 * flow.line.size && Math.abs(before.start - flow.start) > 1 && flow.end < edge + 1;
}

function blockOf(part: readonly FlowLine[], edge: number, start: number, column: readonly FlowLine[]): TextBlock {
  const first = part[0] as FlowLine;
  const last = part.at(-1) ?? first;
  const { size } = first.line;
  const isMono = part.every(({ line }) => line.isMono);
  const mark = isMono ? undefined : parseMark(first.line.text);
  const columnStart = column.reduce((least, flow) => Math.min(least, flow.start), Infinity);
  const columnEdge = column.reduce((most, flow) => Math.max(most, flow.end), -Infinity);
  const second = part[1];
  return {
    kind: 'text',
    text: isMono ? asItStands(part) : textOf(part, mark?.rest, edge),
    lineCount: part.length,
    size,
    weight: Math.min(...part.map(({ line }) => line.weight)),
    isMono,
    ...(mark ? { mark } : {}),
    indent: first.start - columnStart,
    isIndented: first.start - (second?.start ?? start) > indentation * size,
    isFull: columnEdge - last.end < 3 * size,
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
  const start = Math.min(...part.map(({ line }) => line.left));
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
