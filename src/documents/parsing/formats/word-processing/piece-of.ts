import type { ListPlace } from '../../writing/document-writer.js';
import type { Piece } from '../../writing/pieces.js';
import type { StyleRole } from './style-roles.js';

/** Where a paragraph stands in its list, and the mark before it. */
export interface ShownMark extends ListPlace {
  /** The mark as it is shown where it is more than a number; empty for bullets. */
  readonly label: string;
}

/** What a paragraph is, by the role of its style and the mark of its list. */
export function pieceOf(text: string, role: StyleRole, list: ShownMark | undefined): Piece {
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
