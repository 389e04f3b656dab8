import { ListedBreaks } from '../breaks/listed-breaks.js';
import { Packer } from '../breaks/packer.js';
import type { Unit } from '../outline/unit.js';
import type { Piece } from '../piece.js';
import type { SourceText } from '../source-text.js';
import { integerParam } from '../step-params.js';
import type { CutStrategy, StepSetting } from './cut-strategy.js';

const tableRule = 'TABLE_ROWS:table';
const rowRule = 'TABLE_ROWS:row';

/**
 * Takes tables out of a piece and cuts them between rows. A heading or a line that announces a table goes with its
 * first rows; text that is no table stays as it is.
 */
export const cutByTableRows: CutStrategy = (piece, setting) => {
  const { source } = setting;
  const pieces: Piece[] = [];
  let place = piece.start;
  const addText = (end: number, rule: string): void => {
    const text = source.trim({ start: place, end });
    if (text.start < text.end) pieces.push({ ...text, rule });
  };
  for (const { unit, start } of tablesIn(source, piece)) {
    addText(Math.max(start, place), tableRule);
    const end = Math.min(unit.contentEnd, piece.end);
    const rule = source.trim({ start: end, end: piece.end }).start < piece.end ? tableRule : piece.rule;
    pieces.push(...cutTable({ start: Math.max(start, place), end, rule }, unit, setting));
    place = end;
  }
  addText(piece.end, piece.rule);
  return pieces;
};

/** Tables of a piece, each with the place where what belongs to it begins. */
function* tablesIn(source: SourceText, piece: Piece): Generator<{ unit: Unit; start: number }> {
  const { outline, together } = source;
  let start: number | undefined;
  for (const unit of outline.unitsIn(piece.start, piece.end)) {
    const place = together.at(unit.start);
    if (start === undefined || !(together.tears(place) || together.partsIntroduction(place))) start = unit.start;
    if (unit.type !== 'table') continue;
    yield { unit, start };
    start = undefined;
  }
}

function cutTable(table: Piece, unit: Unit, { source, room, params }: StepSetting): Piece[] {
  const rows = rowEnds(source.text, Math.max(unit.headEnd, table.start), table.end);
  const packer = new Packer(source, { room, least: 0, breaks: [new ListedBreaks(rows, rowRule)] });
  const maxRows = integerParam(params, 'maxRows');
  const pieces: Piece[] = [];
  let start = table.start;
  for (let row = maxRows; row <= rows.length; row += maxRows) {
    const end = rows[row - 1] ?? table.end;
    pieces.push(...packer.pack({ start, end }, rowRule));
    start = end;
  }
  return [...pieces, ...packer.pack({ start, end: table.end }, table.rule)];
}

/** Ends of all rows but the last. */
function rowEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  const rows = text.slice(start, end);
  for (let at = rows.indexOf('\n'); at >= 0; at = rows.indexOf('\n', at + 1)) ends.push(start + at);
  return ends;
}
