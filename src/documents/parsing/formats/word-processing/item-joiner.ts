import type { Piece } from '../../writing/pieces.js';
import type { PieceTarget } from './piece-target.js';

/** Passes pieces on, once it is known which paragraphs belong to the list item before them. */
export class ItemJoiner implements PieceTarget {
  private held:
    { readonly piece: Piece & { readonly kind: 'item' }; readonly lines: string[]; readonly page: number } | undefined;

  constructor(private readonly target: PieceTarget) {}

  push(piece: Piece, page: number): void {
    this.flush();
    if (piece.kind === 'item') this.held = { piece, lines: [piece.text], page };
    else this.target.push(piece, page);
  }

  /** Adds a paragraph to the item that was pushed last; false if something came between. */
  join(text: string): boolean {
    this.held?.lines.push(text);
    return this.held !== undefined;
  }

  flush(): void {
    const { held } = this;
    this.held = undefined;
    if (held) this.target.push({ ...held.piece, text: held.lines.join('\n') }, held.page);
  }
}
