import { proseText } from '../../../writing/pieces.js';
import { omitted } from '../../ooxml/omitted.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import { wholeNumber } from '../list-levels.js';
import { OdtParagraph, OdtText } from '../odt-text.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** Spaces that a document may ask for at once. */
const mostSpaces = 200;

const paragraph = (isHeading: boolean): ElementReader => ({
  open(story, attributes) {
    const style = attributes['text:style-name'];
    const draft = new OdtParagraph(style, isHeading ? attributes : undefined);
    draft.isHidden = story.facts.styles.isHidden('paragraph', style) ?? false;
    if (story.facts.styles.isKindOf(style, 'Table Heading')) story.nameCell();
    story.openSink(draft);
  },
  close: (story) => story.closeParagraph(),
});

const inLine = (text: string): ElementReader => ({ open: (story) => story.writeShown(text) });

const leftOut: ElementReader = { open: (story) => story.skip() };

/** Text within paragraphs. */
export const textElements: ElementReaders = {
  'text:p': paragraph(false),
  'text:h': paragraph(true),
  'text:span': {
    open({ paragraph: draft, facts }, attributes) {
      draft?.spans.push(facts.styles.isHidden('text', attributes['text:style-name']));
    },
    close: ({ paragraph: draft }) => void draft?.spans.pop(),
  },
  'text:s': {
    open(story, attributes) {
      story.writeShown(' '.repeat(Math.min(wholeNumber(attributes['text:c']) ?? 1, mostSpaces)));
    },
  },
  'text:tab': inLine('\t'),
  'text:line-break': inLine('\n'),
  'text:ruby-text': { open: (story) => story.writeShown('('), close: (story) => story.writeShown(')') },
  'text:number': {
    open: (story) => story.openSink(new OdtText()),
    close(story) {
      const number = story.closeSink()?.text.trim() ?? '';
      if (story.paragraph) story.paragraph.number = number;
    },
  },
  'text:hidden-text': {
    open(story, attributes) {
      if (attributes['text:is-hidden'] === 'true') story.skip(omitted.hiddenText);
    },
  },
  'text:hidden-paragraph': {
    open({ paragraph: draft }, attributes) {
      if (draft && attributes['text:is-hidden'] === 'true') draft.isHidden = true;
    },
  },
  'text:section': {
    open(story, attributes) {
      const display = attributes['text:display'];
      const isHidden = display === 'none' || (display === 'condition' && attributes['text:is-hidden'] === 'true');
      if (isHidden) story.skip(omitted.hiddenText);
    },
  },
  'office:annotation': { open: (story) => story.skip(omitted.comments) },
  'text:deletion': { open: (story) => story.skip(omitted.deletions) },
  'text:insertion': { open: ({ facts }) => facts.omissions.add(omitted.insertions) },
  'text:table-of-content-source': leftOut,
  'text:illustration-index-source': leftOut,
  'text:table-index-source': leftOut,
  'text:object-index-source': leftOut,
  'text:user-index-source': leftOut,
  'text:alphabetical-index-source': leftOut,
  'text:bibliography-source': leftOut,
  'text:script': leftOut,
  'office:binary-data': leftOut,
  'office:forms': leftOut,
};

/** Notes, which stand where they are mentioned. */
export const noteElements: ElementReaders = {
  'text:note': {
    open(story, attributes) {
      const kind = attributes['text:note-class'] === 'endnote' ? 'endnote' : 'footnote';
      story.notes.push({ kind, label: '', content: new KeptPieces() });
    },
    close(story) {
      const note = story.notes.pop();
      if (!note) return;
      const { kind, label, content } = note;
      story.writeShown(`[^${label}]`);
      story.facts.notes.add(kind, { label, text: proseText(content.pieces) });
    },
  },
  'text:note-citation': {
    open: (story) => story.openSink(new OdtText()),
    close(story) {
      const label = story.closeSink()?.text.replace(/[\s[\]^]/g, '') ?? '';
      const note = story.notes.at(-1);
      if (note) note.label = label || '*';
    },
  },
  'text:note-body': {
    open: (story) => story.enter(story.notes.at(-1)?.content ?? new KeptPieces()),
    close: (story) => story.leave(),
  },
};
