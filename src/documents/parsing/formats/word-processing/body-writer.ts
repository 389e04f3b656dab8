import type { DocumentWriter } from '../../writing/document-writer.js';
import { writePieces, type Piece } from '../../writing/pieces.js';
import type { NoteKind, NoteSource } from './notes.js';
import type { PieceTarget } from './piece-target.js';

/** Lines of code that are gathered before they are written, however long the code is. */
const mostLines = 10_000;

/** Pieces that are kept, as some of them may be written together with those that follow. */
const mostWaiting = 1_000;

/** Writes the body of a document. Lines of code that follow each other are one piece. */
export class BodyWriter implements PieceTarget {
  /** What was read since the last heading or the last turn of a page. */
  private waiting: Piece[] = [];
  private code: string[] = [];
  private page = 1;

  constructor(
    private readonly out: DocumentWriter,
    private readonly notes: NoteSource,
  ) {
    out.turnTo(1);
  }

  push(piece: Piece, page: number): void {
    if (piece.kind === 'code') return this.gather(piece.text, page);
    this.endCode();
    if ('text' in piece && piece.text.trim() === '') return;
    if (piece.kind === 'heading' || page > this.page || this.waiting.length === mostWaiting) this.write();
    if (piece.kind === 'heading') this.writeNotes('footnote');
    this.turnTo(page);
    this.waiting.push(piece);
  }

  /** Writes what still waits, the notes last. */
  end(): void {
    this.endCode();
    this.write();
    this.writeNotes('footnote');
    this.writeNotes('endnote');
  }

  private gather(line: string, page: number): void {
    if (this.code.length === 0 || this.code.length > mostLines) {
      this.endCode();
      this.write();
      this.turnTo(page);
    }
    this.code.push(line);
  }

  private endCode(): void {
    if (this.code.length > 0) this.waiting.push({ kind: 'code', text: this.code.join('\n') });
    this.code = [];
  }

  private write(): void {
    writePieces(this.waiting, this.out);
    this.waiting = [];
  }

  private turnTo(page: number): void {
    this.page = Math.max(this.page, page);
    this.out.turnTo(this.page);
  }

  /** Footnotes follow the section that mentions them, endnotes the whole text. */
  private writeNotes(kind: NoteKind): void {
    for (const { label, text } of this.notes.take(kind)) this.out.footnote(label, text);
  }
}
