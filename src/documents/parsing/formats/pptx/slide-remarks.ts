import { elementsIn, textIn } from '../../containers/xml-tree.js';
import type { Omissions } from '../../writing/omissions.js';
import type { Piece } from '../../writing/pieces.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { Relations } from '../ooxml/relations.js';
import { bodyText } from '../ooxml/text-body.js';
import { isRunningLine, isSlideNumber, placeholderOf } from './placeholder.js';

/** What is said about a slide without being on it: the notes of its speaker, and comments. */
export class SlideRemarks {
  constructor(
    private readonly pack: OfficePackage,
    private readonly relations: Relations,
    private readonly omissions: Omissions,
    private readonly place: number,
  ) {}

  /** The notes, as a quotation. */
  async notes(): Promise<Piece[]> {
    const texts: string[] = [];
    for (const part of this.pack.partsOf(this.relations, 'notesSlide', this.omissions)) {
      for (const shape of elementsIn(await this.pack.tree(part), 'p:sp')) {
        const placeholder = placeholderOf(shape);
        const text = bodyText(shape);
        if (text === '' || (placeholder && isSlideNumber(placeholder, text))) continue;
        if (placeholder && isRunningLine(placeholder)) this.omissions.add(omitted.headers, { text, place: this.place });
        else texts.push(text);
      }
    }
    return texts.length === 0 ? [] : [{ kind: 'paragraph', text: `Notes: ${texts.join('\n')}`, quote: 1 }];
  }

  async tallyComments(): Promise<void> {
    for (const part of this.pack.partsOf(this.relations, 'comments', this.omissions)) {
      const root = await this.pack.tree(part);
      for (const comment of elementsIn(root, 'p:cm')) this.comment(elementsIn(comment, 'p:text').map(textIn).join(''));
      // Newer ones have answers within them.
      for (const body of elementsIn(root, 'p188:txBody')) this.comment(bodyText(body));
    }
  }

  private comment(text: string): void {
    this.omissions.add(omitted.comments, { text, place: this.place });
  }
}
