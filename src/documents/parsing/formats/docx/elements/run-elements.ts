import type { XmlAttributes } from '../../../containers/xml-events.js';
import { isOn, valueOf } from '../../ooxml/values.js';
import type { NoteKind } from '../../word-processing/notes.js';
import type { Story } from '../story.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

const properties = 'w:rPr';

const run: ElementReader = {
  open: (story) => void story.runs.push({ hidden: undefined, style: undefined, font: undefined }),
  close: (story) => void story.runs.pop(),
};

/** Stands for a character. */
const character = (text: string): ElementReader => ({ open: (story) => story.words.write(text) });

const noteReference = (kind: NoteKind): ElementReader => ({
  open({ facts, words }, attributes) {
    if (!words.isShown) return;
    const label = facts.notes.mention(kind, attributes['w:id'] ?? '');
    if (label !== '') words.write(`[^${label}]`);
  },
});

/** Runs, what they say of themselves, and what stands in them beside plain text. */
export const runElements: ElementReaders = {
  'w:r': run,
  'm:r': run,
  'w:rStyle': {
    open: (story, attributes) => ownProperty(story, (draft) => (draft.style = valueOf(attributes))),
  },
  'w:vanish': {
    open: (story, attributes) => ownProperty(story, (draft) => (draft.hidden = isOn(valueOf(attributes)))),
  },
  'w:rFonts': {
    open: (story, attributes) =>
      ownProperty(story, (draft) => (draft.font = attributes['w:ascii'] ?? attributes['w:hAnsi'])),
  },
  'w:tab': {
    open(story) {
      // A stop of the same name stands among the properties of paragraphs.
      if (story.isIn('w:r')) story.words.write('\t');
    },
  },
  'w:ptab': character('\t'),
  'w:br': character('\n'),
  'w:cr': character('\n'),
  'w:noBreakHyphen': character('-'),
  'w:sym': { open: (story, attributes) => symbol(story, attributes) },
  'w:lastRenderedPageBreak': {
    open(story) {
      if (story.words.isShown) story.page += 1;
    },
  },
  'w:footnoteReference': noteReference('footnote'),
  'w:endnoteReference': noteReference('endnote'),
  // Words above others that say how to pronounce them follow those in brackets.
  'w:rt': {
    open: (story) => story.openParagraph(),
    close: (story) => story.closeReading(),
  },
  'w:rubyBase': { close: (story) => story.writeReading() },
};

function ownProperty(story: Story, set: (draft: Story['runs'][number]) => void): void {
  const draft = story.runs.at(-1);
  if (draft && (story.isIn(properties, 'w:r') || story.isIn(properties, 'm:r'))) set(draft);
}

function symbol(story: Story, attributes: XmlAttributes): void {
  const code = /^[0-9a-f]{1,6}$/i.exec(attributes['w:char'] ?? '');
  if (code) story.words.symbol(attributes['w:font'] ?? '', Number.parseInt(code[0], 16));
}
