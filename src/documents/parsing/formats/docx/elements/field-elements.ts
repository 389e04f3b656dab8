import { isOn, valueOf, wholeNumber } from '../../ooxml/values.js';
import type { ElementReaders } from './element-reader.js';

const isNumbered = (value: string | undefined): number => wholeNumber(value) ?? 0;

/** Fields: their results are shown, what they are made from is not. */
export const fieldElements: ElementReaders = {
  'w:fldChar': {
    open({ fields, words }, attributes) {
      const type = attributes['w:fldCharType'];
      if (type === 'begin') fields.begin();
      else if (type === 'separate') fields.separate();
      else if (type === 'end') {
        const shown = fields.end();
        if (shown !== '') words.write(shown);
      }
    },
  },
  'w:checkBox': { open: ({ fields }) => void (fields.form().isTicked ??= false) },
  'w:default': {
    open(story, attributes) {
      if (story.isIn('w:checkBox')) story.fields.form().isTicked = isOn(valueOf(attributes));
      if (story.isIn('w:ddList')) story.fields.form().selected = isNumbered(valueOf(attributes));
    },
  },
  'w:checked': {
    open(story, attributes) {
      if (story.isIn('w:checkBox')) story.fields.form().isTicked = isOn(valueOf(attributes));
    },
  },
  'w:result': {
    open(story, attributes) {
      if (story.isIn('w:ddList')) story.fields.form().selected = isNumbered(valueOf(attributes));
    },
  },
  'w:listEntry': { open: ({ fields }, attributes) => void fields.form().entries.push(valueOf(attributes) ?? '') },
};
