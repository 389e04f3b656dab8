import { blockOf } from './block-of.js';
import type { TextBlock } from './laid-block.js';
import { extentOf, hasRoom, indentation, isCentred, type FlowLine } from './line-flow.js';
import { parseMark } from './list-mark.js';
import type { PitchMemory } from './pitch-memory.js';
import { raisedStart } from './raised-text.js';

/** Times the usual distance of lines. */
const blankBetween = 1.3;
const blankInCode = 2.6;
const sentenceEnd = /[.!?:;。！？：；…”"’)）\]]$/u;
/** Lines that end so near to the longest one are as full as it. */
const filledShare = 0.2;

/** The texts of a column, from its lines. */
export function paragraphsOf(lines: readonly FlowLine[], pitches: PitchMemory): TextBlock[] {
  const column = extentOf(lines);
  return bandsOf(lines, column.end, pitches).flatMap((band) => {
    const { start } = extentOf(band);
    const end = edgeOf(band, column.end);
    return partsOf(band, end).map((part) => blockOf(part, { start, end }, column));
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
  const { start, end: own } = extentOf(band);
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

/** It goes on below the text of an item, not below its mark. */
function isHanging({ line, start }: FlowLine, flow: FlowLine): boolean {
  const found = parseMark(line.text);
  if (!found) return false;
  const text = line.pieces.find(({ left }) => left > line.left + 0.3 * line.size);
  return flow.start > start && (text === undefined || Math.abs(flow.line.left - text.left) < line.size);
}
