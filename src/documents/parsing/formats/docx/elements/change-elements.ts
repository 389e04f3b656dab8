import { omitted } from '../../ooxml/omitted.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

const oldProperties: ElementReader = { open: (story) => story.skip() };

/** Tracked changes, taken as if all were accepted: a deletion, and a place that text was moved away from. */
const deletion = (kind: 'deletions' | 'moves'): ElementReader => ({
  open(story) {
    const { paragraph, tables } = story;
    // Among properties it says that the end of the paragraph, or the row, is gone.
    if (story.isIn('w:rPr', 'w:pPr')) {
      if (paragraph) paragraph.runsOn = true;
    } else if (story.isIn('w:trPr')) {
      const row = tables.at(-1)?.row;
      if (row) row.isDeleted = true;
    }
    story.words[kind] += 1;
  },
  close({ words }) {
    if (kind === 'deletions') words.closeDeletion();
    else words.moves -= 1;
  },
});

export const changeElements: ElementReaders = {
  'w:del': deletion('deletions'),
  'w:moveFrom': deletion('moves'),
  'w:ins': {
    open(story) {
      if (!story.isIn('w:rPr') && !story.isIn('w:trPr')) story.facts.omissions.add(omitted.insertions);
    },
  },
  'w:pPrChange': oldProperties,
  'w:rPrChange': oldProperties,
  'w:tblPrChange': oldProperties,
  'w:tblPrExChange': oldProperties,
  'w:tblGridChange': oldProperties,
  'w:trPrChange': oldProperties,
  'w:tcPrChange': oldProperties,
  'w:numberingChange': oldProperties,
};
