import { childrenOf, elementIn, elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import type { Omissions, OmittedKind } from '../../writing/omissions.js';
import type { Piece } from '../../writing/pieces.js';
import { pictureText } from '../../writing/picture-text.js';
import type { DrawnObjects } from '../ooxml/drawn-objects.js';
import { omitted } from '../ooxml/omitted.js';
import { bodyText } from '../ooxml/text-body.js';
import { bodyPieces } from './body-pieces.js';
import type { Layout } from './layouts.js';
import { isRunningLine, isSlideNumber, isTitle } from './placeholder.js';
import type { SlideShape } from './reading-order.js';
import { tablePiece } from './slide-table.js';

/** What surrounds the shapes of a slide. */
export interface SlideContext {
  readonly layout: Layout;
  readonly objects: DrawnObjects;
  readonly omissions: Omissions;
  /** Number of the slide. */
  readonly place: number;
}

/** What a shape says. */
export async function shapePieces(shape: SlideShape, context: SlideContext): Promise<Piece[]> {
  switch (shape.element.name) {
    case 'p:sp':
      return textPieces(shape, context);
    case 'p:pic':
      return picturePieces(shape.element, context);
    case 'p:graphicFrame':
      return framePieces(shape.element, context);
    default:
      return [];
  }
}

function textPieces({ element, placeholder }: SlideShape, { layout, omissions, place }: SlideContext): Piece[] {
  const [body] = childrenOf(element, 'p:txBody');
  if (!body) return elementIn(element, 'a:blip') ? picturePieces(element, { omissions, place }) : [];
  if (placeholder && isTitle(placeholder)) return [{ kind: 'heading', level: 1, text: bodyText(body) }];
  if (placeholder && isRunningLine(placeholder)) {
    const text = bodyText(body);
    if (text !== '' && !isSlideNumber(placeholder, text)) omissions.add(omitted.headers, { text, place });
    return [];
  }
  return bodyPieces(body, (level) => placeholder && layout.bulletOf(placeholder, level));
}

function picturePieces(picture: XmlElement, { omissions, place }: Pick<SlideContext, 'omissions' | 'place'>): Piece[] {
  omissions.add(omitted.pictures, { place });
  return described(picture);
}

async function framePieces(frame: XmlElement, { objects, omissions, place }: SlideContext): Promise<Piece[]> {
  const tables = elementsIn(frame, 'a:tbl');
  if (tables.length > 0) return tables.map(tablePiece);
  const left = (kind: OmittedKind): Piece[] => {
    omissions.add(kind, { place });
    return described(frame);
  };
  const chart = elementIn(frame, 'c:chart');
  if (chart) return (await objects.chart(chart.attributes['r:id'])) ?? left(omitted.charts);
  if (elementIn(frame, 'cx:chart')) return left(omitted.charts);
  const diagram = elementIn(frame, 'dgm:relIds');
  if (diagram) return objects.diagram(diagram.attributes['r:dm']);
  return elementIn(frame, 'p:oleObj') ? left(omitted.embedded) : [];
}

/** What its author says that a picture shows. */
function described(element: XmlElement): Piece[] {
  const decorative = elementIn(element, 'adec:decorative')?.attributes['val'];
  const { descr, title } = elementIn(element, 'p:cNvPr')?.attributes ?? {};
  const text = decorative === '1' ? '' : pictureText(descr || title);
  return text === '' ? [] : [{ kind: 'paragraph', text: `[${text}]` }];
}
