import { elementIn, elementsIn, textIn, type XmlElement } from '../../containers/xml-tree.js';
import type { Omissions } from '../../writing/omissions.js';
import type { Piece } from '../../writing/pieces.js';
import { pictureText } from '../../writing/picture-text.js';
import { DrawnObjects } from '../ooxml/drawn-objects.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { Relations } from '../ooxml/relations.js';
import { bodyText } from '../ooxml/text-body.js';
import { areaOf, type Area } from './cell-reference.js';
import type { Sheet } from './workbook.js';

/** What belongs to a sheet beside its cells. */
export class SheetSurroundings {
  constructor(
    private readonly pack: OfficePackage,
    private readonly relations: Relations,
    private readonly sheet: Sheet,
    private readonly omissions: Omissions,
  ) {}

  /** Areas that the sheet itself takes for tables whose first row names the columns. */
  async namedTables(): Promise<Area[]> {
    const areas: Area[] = [];
    for (const part of this.parts('table')) {
      const table = elementIn(await this.pack.tree(part), 'x:table');
      const area = areaOf(table?.attributes['ref'] ?? '');
      if (area && table?.attributes['headerRowCount'] !== '0') areas.push(area);
    }
    return areas;
  }

  /** Counts comments; threads stand in the file a second time, as notes for older programs. */
  async tallyComments(): Promise<void> {
    const threads = this.parts('threadedComment');
    for (const part of threads) {
      for (const comment of elementsIn(await this.pack.tree(part), 'tc:threadedComment'))
        this.comment(comment, 'tc:text');
    }
    for (const part of threads.length > 0 ? [] : this.parts('comments')) {
      for (const comment of elementsIn(await this.pack.tree(part), 'x:comment')) this.comment(comment, 'x:t');
    }
  }

  /** The texts of shapes that lie over the cells; counts pictures, charts and files. */
  async drawn(): Promise<Piece[]> {
    const place = this.sheet.name;
    const files = new Set([...this.parts('oleObject'), ...this.parts('package')]).size;
    if (files > 0) this.omissions.add(omitted.embedded, { place, count: files });
    const pieces: Piece[] = [];
    for (const part of this.parts('drawing')) {
      const root = await this.pack.tree(part);
      for (const shape of elementsIn(root, 'xdr:sp')) pieces.push({ kind: 'paragraph', text: bodyText(shape) });
      for (const picture of elementsIn(root, 'xdr:pic')) pieces.push(...this.picture(picture));
      const charts = [...elementsIn(root, 'c:chart'), ...elementsIn(root, 'cx:chart')].length;
      if (charts > 0) this.omissions.add(omitted.charts, { place, count: charts });
      const objects = new DrawnObjects(this.pack, await this.pack.relationsOf(part));
      for (const { attributes } of elementsIn(root, 'dgm:relIds')) {
        pieces.push(...(await objects.diagram(attributes['r:dm'])));
      }
    }
    return pieces;
  }

  private picture(picture: XmlElement): Piece[] {
    this.omissions.add(omitted.pictures, { place: this.sheet.name });
    const { descr, title } = elementIn(picture, 'xdr:cNvPr')?.attributes ?? {};
    const text = pictureText(descr || title);
    return text === '' ? [] : [{ kind: 'paragraph', text: `[${text}]` }];
  }

  private comment(comment: XmlElement, textElement: string): void {
    const text = elementsIn(comment, textElement).map(textIn).join('');
    this.omissions.add(omitted.comments, { text, place: this.sheet.name });
  }

  private parts(type: string): string[] {
    return this.pack.partsOf(this.relations, type, this.omissions);
  }
}
