import type { XmlAttributes } from '../../../containers/xml-events.js';
import { pictureText } from '../../../writing/picture-text.js';
import { omitted } from '../../ooxml/omitted.js';
import { isOn } from '../../ooxml/values.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import type { Story } from '../story.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** A drawing while it is read. */
export interface DrawingDraft {
  kind: 'picture' | 'chart' | 'file' | undefined;
  hasText: boolean;
  /** What it shows, in the words of its author. */
  alt: string;
  isDecoration: boolean;
}

const drawing: ElementReader = {
  open: (story) => void story.drawings.push({ kind: undefined, hasText: false, alt: '', isDecoration: false }),
  close: (story) => closeDrawing(story),
};

const is = (kind: DrawingDraft['kind']): ElementReader => ({
  open({ drawings }) {
    const draft = drawings.at(-1);
    // A picture may stand for a file that is embedded.
    if (draft && draft.kind !== 'file') draft.kind = kind;
  },
});

const describes = (of: (attributes: XmlAttributes) => string | undefined): ElementReader => ({
  open({ drawings }, attributes) {
    const draft = drawings.at(-1);
    if (draft && draft.alt === '') draft.alt = of(attributes) ?? '';
  },
});

/** Drawings: the text of boxes follows the paragraph that they are fixed to; what they show is described at best. */
export const drawingElements: ElementReaders = {
  'w:drawing': drawing,
  'w:pict': drawing,
  'w:object': drawing,
  'wp:docPr': describes(({ descr, title }) => descr || title),
  'v:shape': describes(({ alt }) => alt),
  'adec:decorative': {
    open({ drawings }, { val }) {
      const draft = drawings.at(-1);
      if (draft) draft.isDecoration = isOn(val);
    },
  },
  'a:blip': is('picture'),
  'v:imagedata': is('picture'),
  'c:chart': { open: (story, attributes) => drawn(story, attributes['r:id'], 'chart') },
  'dgm:relIds': { open: (story, attributes) => drawn(story, attributes['r:dm'], undefined) },
  'cx:chart': is('chart'),
  'o:OLEObject': is('file'),
  'v:textpath': { open: ({ words }, { string: text }) => void (text === undefined || words.write(text)) },
  'w:txbxContent': {
    open(story) {
      const { drawings, paragraph, words } = story;
      const draft = drawings.at(-1);
      if (draft) draft.hasText = true;
      const box = new KeptPieces();
      if (words.isShown) paragraph?.boxes.push(box);
      story.enter(box);
    },
    close: (story) => story.leave(),
  },
};

/** Writes what a chart or diagram says behind the paragraph that it is fixed to. */
function drawn(story: Story, id: string | undefined, kind: DrawingDraft['kind']): void {
  const { drawings, facts, page, paragraph, words } = story;
  const draft = drawings.at(-1);
  const pieces = facts.drawn.get(id ?? '') ?? [];
  if (!draft || !words.isShown) return;
  if (pieces.length === 0) draft.kind = kind;
  else draft.hasText = true;
  const box = new KeptPieces();
  for (const piece of pieces) box.push(piece, page);
  paragraph?.boxes.push(box);
}

const omittedAs = { picture: omitted.pictures, chart: omitted.charts, file: omitted.embedded } as const;

function closeDrawing(story: Story): void {
  const draft = story.drawings.pop();
  const { words, facts } = story;
  if (!draft || !words.isShown) return;
  const alt = draft.isDecoration || draft.hasText ? '' : pictureText(draft.alt);
  if (draft.kind) facts.omissions.add(omittedAs[draft.kind]);
  if (alt !== '') words.write(`[${alt}]`);
}
