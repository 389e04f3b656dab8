import { childrenOf, elementIn, elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { Omissions, type OmittedKind } from '../../writing/omissions.js';
import { writePieces, type Piece } from '../../writing/pieces.js';
import { writing } from '../format.js';
import { DrawnObjects } from '../ooxml/drawn-objects.js';
import { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import { isOn, wholeNumber } from '../ooxml/values.js';
import { Layouts } from './layouts.js';
import { readingOrder } from './reading-order.js';
import { shapePieces } from './shape-pieces.js';
import { SlideRemarks } from './slide-remarks.js';

const omittedSlides = {
  hidden: { code: 'HIDDEN_SLIDES', one: 'hidden slide', many: 'hidden slides', became: 'read like the others' },
  withoutText: { code: 'PARTIAL', one: 'slide', many: 'slides', became: 'without text: blank, or pictures only' },
} satisfies Record<string, OmittedKind>;

/** As high as slides are unless a file says otherwise. */
const usualHeight = 6_858_000;

interface OpenPresentation {
  readonly pack: OfficePackage;
  readonly layouts: Layouts;
  readonly omissions: Omissions;
  readonly height: number;
}

/** Reads PowerPoint presentations, slide by slide in the order in which they are shown. */
export const readPptx = writing(async ({ file }, out, limits) => {
  const pack = await OfficePackage.open(file, limits);
  const relations = await pack.relationsOf(pack.mainPart);
  const root = await pack.tree(pack.mainPart);
  const omissions = new Omissions();
  const height = wholeNumber(elementIn(root, 'p:sldSz')?.attributes['cy']) ?? usualHeight;
  const presentation = { pack, layouts: new Layouts(pack), omissions, height };
  const [list] = elementsIn(root, 'p:sldIdLst');
  const slides = list ? childrenOf(list, 'p:sldId') : [];
  for (const [i, { attributes }] of slides.entries()) {
    const relation = relations.byId(attributes['r:id']);
    const part = pack.partOf(relation);
    if (part === undefined) omissions.add(omitted.missing, { text: relation?.target ?? `slide ${i + 1}` });
    else await writeSlide(part, i + 1, presentation, out);
  }
  omissions.tell(out, 'slide');
});

async function writeSlide(
  part: string,
  place: number,
  presentation: OpenPresentation,
  out: DocumentWriter,
): Promise<void> {
  const { pack, omissions } = presentation;
  const root = await pack.tree(part);
  const { show } = elementIn(root, 'p:sld')?.attributes ?? {};
  if (show !== undefined && !isOn(show)) omissions.add(omittedSlides.hidden, { place });
  const relations = await pack.relationsOf(part);
  for (const { type, target } of relations.external()) {
    if (type !== 'hyperlink') omissions.add(omitted.external, { text: target, place });
  }
  const remarks = new SlideRemarks(pack, relations, omissions, place);
  const shown = await slidePieces(root, part, place, presentation);
  const pieces = [...shown, ...(await remarks.notes())].filter(saysSomething);
  await remarks.tallyComments();
  if (shown.every((piece) => !saysSomething(piece))) omissions.add(omittedSlides.withoutText, { place });
  if (pieces.length === 0) return;
  out.turnTo(place);
  writePieces(pieces, out);
}

async function slidePieces(
  root: XmlElement,
  part: string,
  place: number,
  presentation: OpenPresentation,
): Promise<Piece[]> {
  const { pack, layouts, omissions, height } = presentation;
  const [tree] = elementsIn(root, 'p:spTree');
  if (!tree) return [];
  const layout = await layouts.of(part);
  const objects = new DrawnObjects(pack, await pack.relationsOf(part));
  const pieces: Piece[] = [];
  for (const shape of readingOrder(tree, layout, height)) {
    pieces.push(...(await shapePieces(shape, { layout, objects, omissions, place })));
  }
  return pieces;
}

function saysSomething(piece: Piece): boolean {
  return piece.kind === 'table'
    ? piece.rows.some(({ cells }) => cells.some(({ text }) => text.trim() !== ''))
    : 'text' in piece && piece.text.trim() !== '';
}
