import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { lookAhead } from './sheet-outlook.js';

const sheet =
  '<x:worksheet><x:sheetData><x:c><x:v>mergeCell ref="A9:B9"</x:v></x:c></x:sheetData>' +
  '<x:autoFilter ref="$A$1:$C$3"/><x:mergeCells count="2"><x:mergeCell ref="A1:B2"/><x:mergeCell ref="C3"/><x:mergeCell\nref="D4:D5"></x:mergeCell></x:mergeCells></x:worksheet>';

const area = (firstRow: number, lastRow: number, firstColumn: number, lastColumn: number): object => ({
  firstRow,
  lastRow,
  firstColumn,
  lastColumn,
});

describe('lookAhead', () => {
  it('finds merged cells and filters, wherever the bytes come apart', async () => {
    const bytes = Buffer.from(sheet);
    for (let at = 200; at <= bytes.length; at += 1) {
      const parts = [bytes.subarray(0, at), bytes.subarray(at)].filter((part) => part.length > 0);
      expect(await lookAhead(Readable.from(parts))).toEqual({
        merged: [area(1, 2, 0, 1), area(4, 5, 3, 3)],
        filtered: [area(1, 3, 0, 2)],
      });
    }
  });

  it('finds them in a sheet of few bytes', async () => {
    const { merged } = await lookAhead(Readable.from([Buffer.from('<mergeCell ref="A1:B1"/>')]));
    expect(merged).toEqual([area(1, 1, 0, 1)]);
  });
});
