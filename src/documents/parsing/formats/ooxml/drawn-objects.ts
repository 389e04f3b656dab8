import type { Piece } from '../../writing/pieces.js';
import { chartPieces } from './chart-text.js';
import { diagramItems } from './diagram-text.js';
import type { OfficePackage } from './office-package.js';
import type { Relations } from './relations.js';

/** Charts and diagrams are parts of their own; gives what they say, by the relation that leads to them. */
export class DrawnObjects {
  constructor(
    private readonly pack: OfficePackage,
    private readonly relations: Relations,
  ) {}

  /** @returns undefined where there is nothing to be read */
  async chart(id: string | undefined): Promise<Piece[] | undefined> {
    const part = this.pack.partOf(this.relations.byId(id));
    return part === undefined ? undefined : chartPieces(await this.pack.tree(part));
  }

  async diagram(id: string | undefined): Promise<Piece[]> {
    const part = this.pack.partOf(this.relations.byId(id));
    const items = part === undefined ? [] : diagramItems(await this.pack.tree(part));
    return items.map((item) => ({ kind: 'item', ...item }));
  }
}
