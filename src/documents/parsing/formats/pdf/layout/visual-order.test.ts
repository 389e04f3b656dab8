import { describe, expect, it } from '@jest/globals';
import { readingOrder } from './visual-order.js';

const turned = (text: string): string => [...text].reverse().join('');

describe('readingOrder', () => {
  it('leaves text from left to right as it is', () => {
    expect(readingOrder('A line (of 2 words).')).toBe('A line (of 2 words).');
  });

  it.each([
    ['words', turned('שלום עולם'), 'שלום עולם'],
    ['a number', `${turned('אחרי')} 1,905.50 ${turned('לפני')}`, 'לפני 1,905.50 אחרי'],
    ['two numbers', `${turned('עד')} 20 10 ${turned('מן')}`, 'מן 10 20 עד'],
    ['words of another script', `${turned('קובץ גדול')} PDF 1.7 file ${turned('זה')}`, 'זה PDF 1.7 file קובץ גדול'],
    ['brackets', `(${turned('בסוגריים')}) ${turned('מילה')}`, 'מילה (בסוגריים)'],
    ['brackets round another script', `${turned('סוף')} (Port) ${turned('כולם')}`, 'כולם (Port) סוף'],
    ['a full stop', `.${turned('סוף')}`, 'סוף.'],
  ])('turns a line from right to left with %s', (_, seen, read) => {
    expect(readingOrder(seen)).toBe(read);
  });

  it('turns words from right to left within a line of the other direction', () => {
    expect(readingOrder(`The word ${turned('שלום עולם')} means hello to everybody`)).toBe(
      'The word שלום עולם means hello to everybody',
    );
  });
});
