import type { Piece } from '../../writing/pieces.js';

/** Where pieces go: the document, a cell, a text box, a note. */
export interface PieceTarget {
  /** @param page that the piece begins on. */
  push(piece: Piece, page: number): void;
}

/** Keeps pieces that belong elsewhere than where they were read. */
export class KeptPieces implements PieceTarget {
  readonly pieces: Piece[] = [];
  private readonly pages: number[] = [];

  push(piece: Piece, page: number): void {
    this.pieces.push(piece);
    this.pages.push(page);
  }

  /** Where it begins; undefined while it is empty. */
  get page(): number | undefined {
    return this.pages[0];
  }

  giveTo(target: PieceTarget): void {
    this.pieces.forEach((piece, i) => target.push(piece, this.pages[i] ?? 1));
  }
}
