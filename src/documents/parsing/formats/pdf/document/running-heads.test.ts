import { describe, expect, it } from '@jest/globals';
import { pieceAt } from '../../../../../testing/text-pieces.js';
import type { PageContent, TextPiece } from '../content/page-content.js';
import { RunningHeads } from './running-heads.js';

const body = pieceAt(60, 400, 'a text that is longer than any running head is');

function page(number: number, pieces: readonly TextPiece[]): PageContent {
  const texts = [{ angle: 0, pieces: [...pieces, body] }];
  const rules = { level: [], upright: [], dots: [] };
  return { number, width: 595, height: 842, texts, rules, unknownCharacters: 0, hiddenCharacters: 0 };
}

/** What is left out of each page. */
function leftOut(pages: readonly (readonly TextPiece[])[]): (readonly string[])[] {
  const heads = new RunningHeads(pages.length);
  pages.forEach((pieces, i) => heads.note(page(i + 1, pieces)));
  return pages.map((_, i) => heads.take(i + 1).texts);
}

describe('RunningHeads', () => {
  it('finds what stands at the top of several pages', () => {
    const head = pieceAt(60, 40, 'Annual report');
    expect(leftOut([[head], [], [head], [head]])).toEqual([
      ['Annual report'],
      [],
      ['Annual report'],
      ['Annual report'],
    ]);
  });

  it('finds heads that alternate, with numbers beside them', () => {
    const left = (n: number): TextPiece[] => [pieceAt(60, 40, `${n}`), pieceAt(300, 40, 'The author')];
    const right = (n: number): TextPiece[] => [pieceAt(60, 40, 'The title'), pieceAt(500, 40, `${n}`)];
    expect(leftOut([left(8), right(9), left(10), right(11), left(12), right(13)])[3]).toEqual(['The title 11']);
  });

  it.each([
    ['counting up', ['7', '8', '9'], [['7'], ['8'], ['9']]],
    ['in Roman', ['ii', 'iii', 'iv'], [['ii'], ['iii'], ['iv']]],
    ['in words', ['Page 1 of 3', 'Page 2 of 3', 'Page 3 of 3'], [['Page 1 of 3'], ['Page 2 of 3'], ['Page 3 of 3']]],
    ['on two pages', ['1', '2'], [['1'], ['2']]],
    ['that do not count the pages', ['7', '70', '3'], [[], [], []]],
  ])('tells page numbers from others: %s', (_, numbers, expected) => {
    expect(leftOut(numbers.map((number) => [pieceAt(290, 810, number)]))).toEqual(expected);
  });

  it.each<[string, (n: number) => TextPiece]>([
    ['titles that come again', () => pieceAt(60, 40, 'Agenda', { size: 20 })],
    ['texts in the middle of a page', () => pieceAt(60, 300, 'the same')],
    ['texts at different heights', (n) => pieceAt(60, 30 + 9 * n, 'the same')],
    ['texts that differ', (n) => pieceAt(60, 40, ['one', 'two', 'three'][n] ?? '')],
  ])('leaves %s', (_, pieceOf) => {
    expect(leftOut([0, 1, 2].map((n) => [pieceOf(n)]))).toEqual([[], [], []]);
  });

  it('leaves what stands on two pages of many', () => {
    const head = pieceAt(60, 40, 'Annual report');
    expect(leftOut([[head], [head], [], []])).toEqual([[], [], [], []]);
  });

  it('finds what its maker marked as no content, on one page too', () => {
    expect(leftOut([[pieceAt(60, 40, 'Letterhead', { isArtifact: true })]])).toEqual([['Letterhead']]);
  });
});
