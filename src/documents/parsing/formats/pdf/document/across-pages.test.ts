import { describe, expect, it } from '@jest/globals';
import type { LaidBlock, TextBlock } from '../layout/laid-block.js';
import { joinAcross } from './across-pages.js';

function block(text: string, more: Partial<TextBlock> = {}): TextBlock {
  const places = { indent: 0, isIndented: false, isFull: true, isAtFoot: false, isColumnStart: true };
  return { kind: 'text', text, lineCount: 1, size: 10, weight: 0, isMono: false, ...places, ...more };
}
const textsOf = (pages: readonly (readonly LaidBlock[])[]): string[] =>
  joinAcross(pages.flatMap((blocks, i) => blocks.map((each) => ({ page: i + 1, block: each })))).map(
    ({ page, block: each }) => `${page} ${each.kind === 'text' ? each.text : 'table'}`,
  );

describe('joinAcross', () => {
  it('joins a sentence that goes on at the next page', () => {
    expect(textsOf([[block('begins here')], [block('and ends there.')]])).toEqual(['1 begins here and ends there.']);
  });

  it('joins a word that the end of a page parts', () => {
    expect(textsOf([[block('the har-')], [block('bour')]])).toEqual(['1 the har\u00adbour']);
  });

  it('joins a sentence round the notes at the foot', () => {
    const note = block('a note', { isAtFoot: true, size: 8, isColumnStart: false });
    expect(textsOf([[block('begins here'), note], [block('and ends there.')]])).toEqual([
      '1 begins here and ends there.',
      '1 a note',
    ]);
  });

  it('joins Chinese', () => {
    expect(textsOf([[block('港口是供船舶')], [block('停靠的地方')]])).toEqual(['1 港口是供船舶停靠的地方']);
  });

  it.each<[string, TextBlock, LaidBlock]>([
    ['after the end of a sentence', block('ends here.'), block('next')],
    ['before a capital', block('begins here'), block('Next')],
    ['after a line that is not full', block('begins here', { isFull: false }), block('next')],
    ['of another size', block('begins here'), block('next', { size: 12 })],
    [
      'before an item',
      block('begins here'),
      block('next', { mark: { kind: 'bullet', value: 1, mark: '•', rest: 'next' } }),
    ],
    ['within a column', block('begins here'), block('next', { isColumnStart: false })],
    ['before a table', block('begins here'), { kind: 'table', rows: [] }],
    ['after an entry of a table of contents', block('one ........ 1'), block('two')],
  ])('leaves texts apart %s', (_, first, second) => {
    expect(textsOf([[first], [second]])).toHaveLength(2);
  });
});
