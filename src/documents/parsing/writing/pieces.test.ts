import { describe, expect, it } from '@jest/globals';
import { testReadLimits } from '../../../testing/read-bytes.js';
import { DocumentWriter } from './document-writer.js';
import { cellText, writePieces, type Piece } from './pieces.js';

const pieces: readonly Piece[] = [
  { kind: 'heading', level: 2, text: 'Title' },
  { kind: 'paragraph', text: 'said', quote: 1 },
  { kind: 'item', text: 'one', depth: 1, number: 1, quote: 1 },
  { kind: 'item', text: 'two', depth: 1, number: 2, quote: 1 },
  { kind: 'paragraph', text: 'said before', quote: 2 },
  { kind: 'rule' },
  { kind: 'item', text: 'three', depth: 1 },
  { kind: 'item', text: 'four', depth: 2, number: 4 },
  { kind: 'code', text: 'x = 1', language: 'py' },
  { kind: 'table', rows: [{ cells: [{ text: 'a' }, { text: 'b' }] }, { cells: [{ text: '1' }, { text: '2' }] }] },
  { kind: 'caption', text: 'Table 1' },
  { kind: 'footnote', label: '1', text: 'note' },
];

describe('writePieces', () => {
  it('writes each piece, and quoted ones beside each other as one quotation', () => {
    const out = new DocumentWriter(testReadLimits);
    writePieces(pieces, out);
    expect(out.finish().text).toBe(
      [
        '## Title',
        '> said\n>\n> 1. one\n> 2. two',
        '> > said before',
        '***',
        '- three\n  4. four',
        '```py\nx = 1\n```',
        '| a | b |\n| --- | --- |\n| 1 | 2 |',
        'Table 1',
        '[^1]: note',
      ].join('\n\n'),
    );
  });
});

describe('cellText', () => {
  it('writes pieces as one text', () => {
    expect(cellText(pieces)).toBe(
      'Title\nsaid\n1. one; 2. two\nsaid before\nthree; 4. four\nx = 1\na, b; 1, 2\nTable 1\nnote',
    );
  });
});
