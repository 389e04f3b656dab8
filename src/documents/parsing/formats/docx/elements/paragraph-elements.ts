import { omitted } from '../../ooxml/omitted.js';
import { valueOf, wholeNumber } from '../../ooxml/values.js';
import type { ElementReaders } from './element-reader.js';

const properties = 'w:pPr';
const numbering = 'w:numPr';

/** Paragraphs and what they say of themselves. */
export const paragraphElements: ElementReaders = {
  'w:p': { open: (story) => story.openParagraph(), close: (story) => story.closeParagraph() },
  'w:pStyle': {
    open(story, attributes) {
      if (story.paragraph && story.isIn(properties)) story.paragraph.style = valueOf(attributes);
    },
  },
  'w:outlineLvl': {
    open(story, attributes) {
      if (story.paragraph && story.isIn(properties)) story.paragraph.outline = wholeNumber(valueOf(attributes));
    },
  },
  'w:numId': {
    open(story, attributes) {
      if (story.paragraph && story.isIn(numbering, properties))
        story.paragraph.numId = wholeNumber(valueOf(attributes));
    },
  },
  'w:ilvl': {
    open(story, attributes) {
      if (story.paragraph && story.isIn(numbering, properties)) {
        story.paragraph.listLevel = wholeNumber(valueOf(attributes));
      }
    },
  },
  // Pages, columns and headers of a section; headers are read on their own.
  'w:sectPr': { open: (story) => story.skip() },
  // What fills a content control in, and from where; what it holds now stands beside it.
  'w:sdtPr': { open: (story) => story.skip() },
  'w:altChunk': { open: ({ facts }) => facts.omissions.add(omitted.embedded) },
  // Paragraphs of a drawing within a drawing.
  'a:p': { close: (story) => story.words.write('\n') },
};
