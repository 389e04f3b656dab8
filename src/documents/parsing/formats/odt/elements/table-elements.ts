import type { XmlAttributes } from '../../../containers/xml-events.js';
import { wholeNumber } from '../list-levels.js';
import { OdtTable } from '../odt-table.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** Tables within tables beyond this are read as what is in them. */
const deepestTable = 8;

const header: ElementReader = {
  open({ tables }) {
    const table = tables.at(-1);
    if (table) table.inHeader = true;
  },
  close({ tables }) {
    const table = tables.at(-1);
    if (table) table.inHeader = false;
  },
};

export const tableElements: ElementReaders = {
  'table:table': {
    open(story) {
      if (story.tables.length === deepestTable) story.deeperTables += 1;
      else story.tables.push(new OdtTable());
    },
    close(story) {
      if (story.deeperTables > 0) story.deeperTables -= 1;
      else story.tables.pop()?.giveTo(story.target, 1);
    },
  },
  'table:table-header-rows': header,
  'table:table-row': {
    open(story, attributes) {
      if (story.deeperTables === 0) story.tables.at(-1)?.openRow(times(attributes, 'table:number-rows-repeated'));
    },
  },
  'table:table-cell': {
    open(story, attributes) {
      if (story.deeperTables > 0) return;
      const cell = story.tables.at(-1)?.openCell({
        columns: times(attributes, 'table:number-columns-spanned'),
        rows: times(attributes, 'table:number-rows-spanned'),
        repeats: times(attributes, 'table:number-columns-repeated'),
      });
      if (cell) story.enterCell(cell);
    },
    close(story) {
      if (story.deeperTables === 0) story.leaveCell();
    },
  },
  // What another cell covers is not shown.
  'table:covered-table-cell': { open: (story) => story.skip() },
};

function times(attributes: XmlAttributes, name: string): number {
  return Math.max(wholeNumber(attributes[name]) ?? 1, 1);
}
