import type { Piece } from '../../writing/pieces.js';
import type { ListMark } from './list-counters.js';
import type { KeptPieces } from './piece-target.js';
import type { StyleRole } from './style-roles.js';

/** A paragraph while it is read. */
export class ParagraphDraft {
  style: string | undefined;
  numId: number | undefined;
  listLevel: number | undefined;
  outline: number | undefined;
  /** Its end was deleted or moved away: what follows belongs to it. */
  runsOn = false;
  page: number | undefined;
  /** Text boxes that are fixed to it. */
  readonly boxes: KeptPieces[] = [];
  private readonly parts: string[] = [];

  write(text: string): void {
    this.parts.push(text);
  }

  get text(): string {
    return this.parts.join('');
  }
}

/** What a paragraph is, by the role of its style and the mark of its list. */
export function pieceOf(text: string, role: StyleRole, list: ListMark | undefined): Piece {
  const marked = list && list.label !== '' ? `${list.label} ${text}` : text;
  switch (role.type) {
    case 'heading':
      return { kind: 'heading', level: role.level, text: marked };
    case 'contents':
      return { kind: 'item', depth: role.level, text: marked };
    case 'caption':
      return { kind: 'caption', text: marked };
    case 'code':
      return { kind: 'code', text: marked };
    case 'quote':
    case 'text': {
      const quote = role.type === 'quote' ? { quote: 1 } : {};
      if (!list) return { kind: 'paragraph', text, ...quote };
      const { depth, number } = list;
      return number === undefined
        ? { kind: 'item', depth, text: marked, ...quote }
        : { kind: 'item', depth, number, text, ...quote };
    }
  }
}
