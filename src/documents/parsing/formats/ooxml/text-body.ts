import { elementsIn, textIn, type XmlElement } from '../../containers/xml-tree.js';
import { equationOf } from './equation-text.js';

/** A paragraph of a shape. */
export interface BodyParagraph {
  readonly text: string;
  /** Its `a:pPr`, where it has one. */
  readonly properties: XmlElement | undefined;
}

/** The paragraphs of a text body of DrawingML, such as `p:txBody`. */
export function bodyParagraphs(body: XmlElement): BodyParagraph[] {
  return elementsIn(body, 'a:p').map((paragraph) => {
    const children = paragraph.children.filter((child) => typeof child !== 'string');
    return {
      text: children.map(wordsOf).join(''),
      properties: children.find(({ name }) => name === 'a:pPr'),
    };
  });
}

/** All of a body as lines. */
export function bodyText(body: XmlElement): string {
  return bodyParagraphs(body)
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .join('\n');
}

function wordsOf(part: XmlElement): string {
  if (part.name === 'a:br') return '\n';
  if (part.name === 'a:r' || part.name === 'a:fld') return elementsIn(part, 'a:t').map(textIn).join('');
  // Equations stand in an element of an extension.
  return part.name === 'a:pPr' ? '' : elementsIn(part, 'm:oMath').map(equationOf).join(' ');
}
