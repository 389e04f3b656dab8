import { pictureText } from '../../../writing/picture-text.js';
import { omitted } from '../../ooxml/omitted.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import type { OdtStory } from '../odt-story.js';
import { OdtText } from '../odt-text.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** A frame while it is read. */
export interface OdtDrawing {
  kind: 'picture' | 'object' | undefined;
  hasText: boolean;
  /** What it shows, in the words of its author. */
  alt: string;
}

const frame: ElementReader = {
  open: ({ drawings }) => void drawings.push({ kind: undefined, hasText: false, alt: '' }),
  close(story) {
    const drawing = story.drawings.pop();
    if (!drawing) return;
    if (drawing.kind === 'picture') story.facts.omissions.add(omitted.pictures);
    if (drawing.kind === 'object') story.facts.omissions.add(omitted.embedded);
    const alt = drawing.hasText ? '' : pictureText(drawing.alt);
    if (alt !== '') story.writeShown(`[${alt}]`);
  },
};

const description: ElementReader = {
  open: (story) => story.openSink(new OdtText()),
  close(story) {
    const text = story.closeSink()?.text.trim() ?? '';
    const drawing = story.drawings.at(-1);
    if (drawing && text !== '') drawing.alt = text;
  },
};

/** What holds paragraphs of its own: they follow the one that it is fixed to. */
const box: ElementReader = {
  open(story) {
    const drawing = story.drawings.at(-1);
    if (drawing) drawing.hasText = true;
    const content = new KeptPieces();
    story.boxes.push(content);
    story.enter(content);
  },
  close(story) {
    story.leave();
    const content = story.boxes.pop();
    if (!content) return;
    if (story.paragraph) story.paragraph.boxes.push(content);
    else story.give(content);
  },
};

function openObject(story: OdtStory, reference: string): void {
  const drawing = story.drawings.at(-1);
  const formula = story.facts.formulas.get(reference.replace(/^\.\//, ''));
  if (formula !== undefined) {
    story.writeShown(formula);
    if (drawing) drawing.hasText = true;
  } else if (drawing) drawing.kind = 'object';
  story.skip();
}

/** Frames, shapes and what is in them. */
export const drawingElements: ElementReaders = {
  'draw:frame': frame,
  'draw:image': {
    open({ drawings }) {
      const drawing = drawings.at(-1);
      // A picture may stand for an object, or for a formula.
      if (drawing && !drawing.hasText) drawing.kind ??= 'picture';
    },
  },
  'draw:object': { open: (story, attributes) => openObject(story, attributes['xlink:href'] ?? '') },
  'draw:object-ole': { open: (story, attributes) => openObject(story, attributes['xlink:href'] ?? '') },
  'svg:title': description,
  'svg:desc': description,
  'draw:text-box': box,
  ...Object.fromEntries(
    'custom-shape rect circle ellipse line polyline polygon regular-polygon path connector caption measure'
      .split(' ')
      .map((shape) => [`draw:${shape}`, box]),
  ),
};
