import type { XmlAttributes } from '../../../containers/xml-events.js';
import { isOn, valueOf, wholeNumber } from '../../ooxml/values.js';
import { mostSpan, TableDraft, type CellDraft, type RowDraft } from '../table-draft.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** The bit of `w:tblLook` that asks for the special look of first rows. */
const firstRowBit = 0x20;

const ofRow = (set: (row: RowDraft, attributes: XmlAttributes) => void): ElementReader => ({
  open(story, attributes) {
    const row = story.tables.at(-1)?.row;
    if (row && story.isIn('w:trPr')) set(row, attributes);
  },
});

const ofCell = (set: (cell: CellDraft, attributes: XmlAttributes) => void): ElementReader => ({
  open(story, attributes) {
    const cell = story.tables.at(-1)?.row?.cells.at(-1);
    if (cell && story.isIn('w:tcPr')) set(cell, attributes);
  },
});

const span = (attributes: XmlAttributes, least: number): number =>
  Math.min(Math.max(wholeNumber(valueOf(attributes)) ?? least, least), mostSpan);

const continues = (attributes: XmlAttributes): boolean => valueOf(attributes) !== 'restart';

/** Tables with their rows and cells. */
export const tableElements: ElementReaders = {
  'w:tbl': {
    open(story) {
      story.endRunOn();
      story.tables.push(new TableDraft());
    },
    close(story) {
      const table = story.tables.pop();
      if (!table) return;
      const { marksFirstRow = false } = story.facts.styles.effectOf(table.style);
      table.giveTo(story.target, table.asksForFirstRow && marksFirstRow);
    },
  },
  'w:tblStyle': {
    open(story, attributes) {
      const table = story.tables.at(-1);
      if (table && story.isIn('w:tblPr')) table.style = valueOf(attributes);
    },
  },
  'w:tblLook': {
    open(story, attributes) {
      const table = story.tables.at(-1);
      const { 'w:firstRow': firstRow } = attributes;
      const bits = Number.parseInt(valueOf(attributes) ?? '', 16);
      if (table) table.asksForFirstRow = firstRow === undefined ? (bits & firstRowBit) !== 0 : isOn(firstRow);
    },
  },
  'w:tr': { open: ({ tables }) => tables.at(-1)?.openRow(), close: ({ tables }) => tables.at(-1)?.closeRow() },
  'w:tblHeader': ofRow((row, attributes) => (row.isHeader = isOn(valueOf(attributes)))),
  'w:gridBefore': ofRow((row, attributes) => (row.before = span(attributes, 0))),
  'w:tc': {
    open(story) {
      const cell = story.tables.at(-1)?.openCell();
      if (cell) story.enter(cell.content);
      else story.skip();
    },
    close: (story) => story.leave(),
  },
  'w:gridSpan': ofCell((cell, attributes) => (cell.span = span(attributes, 1))),
  'w:vMerge': ofCell((cell, attributes) => (cell.continues = continues(attributes) ? 'above' : cell.continues)),
  'w:hMerge': ofCell((cell, attributes) => (cell.continues = continues(attributes) ? 'before' : cell.continues)),
  'w:cellDel': ofCell((cell) => (cell.isDeleted = true)),
};
