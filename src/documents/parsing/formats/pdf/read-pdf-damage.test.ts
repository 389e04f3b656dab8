import { describe, expect, it } from '@jest/globals';
import type { Fixture } from '../../../../testing/fixtures/fixture.js';
import * as broken from '../../../../testing/fixtures/pdf/broken-pdfs.js';
import { handMadePdf, line } from '../../../../testing/fixtures/pdf/hand-made-pdf.js';
import { encryptedPdf, protectedFromChanges } from '../../../../testing/fixtures/pdf/pdfkit-pdfs.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const whole = 'This page can be read, whatever else is wrong with the file that it is in.';
const lost = '1 page was damaged and left out (page 2).';
const refused = (code: string, message: RegExp): unknown =>
  expect.objectContaining({ name: 'AppError', code, message: expect.stringMatching(message) });

describe('readPdf, of damaged and locked files', () => {
  it.each([
    ['a table of objects that is wrong', broken.shiftedTable],
    ['an end that is lost', broken.cutOff],
    ['other lines before it', broken.mailedPdf],
  ])('reads a file with %s', async (_, { bytes }) => {
    const { text, mediaType, warnings } = await readBytes(bytes, { fileName: 'a.pdf' });
    expect({ text, mediaType, warnings }).toEqual({ text: whole, mediaType: 'application/pdf', warnings: [] });
  });

  it.each<[string, Fixture, string, string]>([
    ['of a page tree that holds itself', broken.cyclicPages, whole, lost],
    ['before one that cannot be found', broken.missingPage, 'first', lost],
    [
      'beside those that are pictures',
      broken.somePictures,
      `${whole}\n\n${whole}`,
      '3 pages were without text: blank, or pictures only (pages 2, 4–5).',
    ],
  ])('reads the pages that can be read %s, and names the others', async (_, { bytes }, text, message) => {
    const parsed = await readBytes(bytes, { fileName: 'a.pdf' });
    expect(parsed.text).toBe(text);
    expect(parsed.warnings).toContainEqual({ code: 'PARTIAL', message });
  });

  it('says that pages behind the last one that was found may be lost', async () => {
    const { warnings } = await readBytes(broken.missingPage.bytes, { fileName: 'a.pdf' });
    expect(warnings.at(-1)).toEqual({ code: 'PARTIAL', message: expect.stringContaining('lost as well') });
  });

  it('reads a file that a password protects from nothing but changes', async () => {
    const { text } = await readBytes(protectedFromChanges.bytes, { fileName: 'a.pdf' });
    expect(text).toMatch(/^Its piers are built/);
  });

  it.each<[string, Uint8Array, unknown]>([
    ['a file that asks for a password', encryptedPdf, refused('ENCRYPTED', /password/)],
    ['pictures', broken.picturesOnly, refused('NO_TEXT', /2 blank or of pictures/)],
    ['a file without pages', broken.noPages, refused('NO_TEXT', /no pages/)],
    ['a file whose pages are lost', broken.cutShort, refused('CORRUPT', /no pages that can be found/)],
    ['nothing but a signature', Buffer.from('%PDF-1.7\n'), refused('CORRUPT', /no pages/)],
  ])('names what is wrong with %s', async (_, bytes, error) => {
    await expect(readBytes(bytes, { fileName: 'a.pdf' })).rejects.toEqual(error);
  });

  it('refuses more pages than are allowed before it reads one', async () => {
    const bytes = handMadePdf({ pages: [1, 2, 3].map(() => ({ content: line(60, 100, 'page') })) });
    await expect(readBytes(bytes, { fileName: 'a.pdf' }, { pages: 2 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
      details: { limit: 'pages', max: 2 },
    });
  });

  it('refuses a text that is too long while it is gathered', async () => {
    const bytes = handMadePdf({ pages: [1, 2, 3].map(() => ({ content: line(60, 300, 'a text of some length') })) });
    await expect(readBytes(bytes, { fileName: 'a.pdf' }, { textChars: 20 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
      details: { limit: 'textChars', max: 20 },
    });
  });

  it('knows a PDF by its bytes, whatever it is called', async () => {
    const { mediaType, warnings } = await readBytes(broken.cutOff.bytes, { fileName: 'a.csv' });
    expect(mediaType).toBe('application/pdf');
    expect(warnings.map(({ code }) => code)).toEqual(['OTHER_TYPE']);
  });
});
