import { describe, expect, it } from '@jest/globals';
import { strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import iconv from 'iconv-lite';
import type { ParsedText } from '../../../../domain/text/block.js';
import { madeBook } from '../../../../testing/fixtures/epub-fixtures.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (bytes: Uint8Array, fileName = 'a.epub'): Promise<ParsedText> => readBytes(bytes, { fileName });
const warningsOf = ({ warnings }: ParsedText): string[] => warnings.map(({ code, message }) => `${code} ${message}`);
const chapter = { name: '1.xhtml', body: '<h1>One</h1><p>Text</p>' };
const withParts = (parts: Zippable): Uint8Array => madeBook([chapter], parts);
const encryption = (algorithm: string): Zippable => ({
  'META-INF/encryption.xml': strToU8(
    `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
      <enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="OEBPS/x"/></enc:CipherData></enc:EncryptedData></encryption>`,
  ),
});

describe('readEpub', () => {
  it('reads the chapters in their order, each a page, without contents and cover', async () => {
    const parsed = await read(
      madeBook(
        [
          { name: 'cover.xhtml', body: '<img src="c.png" alt="The cover"/>' },
          { name: 'nav.xhtml', body: '<nav epub:type="toc"><ol><li>One</li></ol></nav>', properties: 'nav' },
          {
            name: 'text/第一章.xhtml',
            body: '<header><h1>One</h1></header><p>Text<a epub:type="noteref" href="#n">1</a> soft&shy;ly&nbsp;.</p><aside epub:type="footnote">1. Note</aside>',
          },
          { name: '2.xhtml', body: '<h2>Two</h2><a id="p"/><p>more</p>' },
        ],
        {},
        '<reference type="cover" href="cover.xhtml#top"/>',
      ),
    );
    expect(parsed.text).toBe('# The Book\n\n# One\n\nText[^1] softly .\n\n[^1]: Note\n\n## Two\n\nmore');
    expect(parsed.blocks.map(({ type, page }) => [type, page])).toEqual([
      ['heading', 3],
      ['heading', 3],
      ['paragraph', 3],
      ['footnote', 3],
      ['pageBreak', 3],
      ['heading', 4],
      ['paragraph', 4],
    ]);
    expect(parsed.mediaType).toBe('application/epub+zip');
    expect(warningsOf(parsed)).toEqual([
      'PICTURES_LEFT_OUT 1 picture was left out (page 1).',
      'COVER_LEFT_OUT 1 cover was left out (page 1), 9 characters: "The cover".',
      'CONTENTS_LEFT_OUT 1 table of contents was left out (page 2), 6 characters: "1. One".',
    ]);
  });

  it('does not repeat the title of the book above a chapter that begins with it', async () => {
    expect((await read(madeBook([{ name: 'a.xhtml', body: '<h1>THE\nbook</h1><p>x</p>' }]))).text).toBe(
      '# THE book\n\nx',
    );
  });

  it('reads the contents where there is nothing else', async () => {
    const parsed = await read(madeBook([{ name: 'nav.xhtml', body: '<p>Only this</p>', properties: 'nav' }]));
    expect(parsed.text).toBe('# The Book\n\nOnly this');
    expect(parsed.warnings).toEqual([]);
  });

  it('names chapters that are missing or damaged, and pictures in their place', async () => {
    const book = madeBook([
      { name: 'gone.xhtml' },
      chapter,
      { name: 'a.png', body: '<?xml', mediaType: 'image/png' },
      { name: 'bad.xhtml', body: 'bad '.repeat(500) },
    ]);
    const at = Buffer.from(book).indexOf('OEBPS/bad.xhtml') + 'OEBPS/bad.xhtml'.length;
    book.fill(0xff, at, at + 8);
    const parsed = await read(book);
    expect(parsed.text).toBe('# The Book\n\n# One\n\nText');
    expect(warningsOf(parsed)).toEqual([
      'CHAPTERS_MISSING 2 missing or damaged chapters were left out (pages 1, 4).',
      'PICTURES_LEFT_OUT 1 picture was left out (page 3).',
    ]);
    await expect(read(madeBook([{ name: 'gone.xhtml' }]))).rejects.toMatchObject({
      code: 'CORRUPT',
      message: expect.stringContaining('none of its chapters is there'),
    });
  });

  it('reads chapters in any encoding, and drawings', async () => {
    const utf16 = iconv.encode(
      '<?xml version="1.0" encoding="utf-16"?><html><body><p>中文</p></body></html>',
      'utf-16le',
      { addBOM: true },
    );
    const old = iconv.encode(
      '<?xml version="1.0" encoding="macintosh"?><html><body><p>Café</p></body></html>',
      'macintosh',
    );
    const parts = { 'OEBPS/a.xhtml': utf16, 'OEBPS/b.xhtml': old };
    const svg = {
      name: 'c.svg',
      body: '<?xml version="1.0"?><svg><text>Label</text></svg>',
      mediaType: 'image/svg+xml',
    };
    const parsed = await read(madeBook([{ name: 'a.xhtml', body: 'x' }, { name: 'b.xhtml', body: 'x' }, svg], parts));
    expect(parsed.text).toBe('# The Book\n\n中文\n\nCafé\n\nLabel');
  });

  it('reads the package that the book names, or the only one of a book that does not say where or what it is', async () => {
    const other = zipSync({ 'A.opf': strToU8('<package/>'), ...unzipSync(withParts({})) });
    expect((await read(other)).text).toContain('Text');
    const { mimetype, 'META-INF/container.xml': container, ...rest } = unzipSync(withParts({}));
    expect(mimetype).toBeDefined();
    expect((await read(zipSync({ mimetype: mimetype ?? new Uint8Array(), ...rest }))).text).toContain('Text');
    expect(
      await read(zipSync({ 'META-INF/container.xml': container ?? new Uint8Array(), ...rest }), 'a.zip'),
    ).toMatchObject({
      mediaType: 'application/epub+zip',
      warnings: [{ code: 'OTHER_TYPE' }],
    });
  });
});

describe('what is no book that can be read', () => {
  it('is refused as protected if more than its fonts is encrypted, or a licence comes with it', async () => {
    const protectedBook = { name: 'AppError', code: 'ENCRYPTED' };
    await expect(read(withParts(encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc')))).rejects.toMatchObject(
      protectedBook,
    );
    await expect(read(withParts({ 'META-INF/rights.xml': strToU8('<rights/>') }))).rejects.toMatchObject(protectedBook);
    expect((await read(withParts(encryption('http://www.idpf.org/2008/embedding')))).text).toContain('Text');
  });

  it('is refused as damaged without a package, or with one that is no XML', async () => {
    const damaged = { name: 'AppError', code: 'CORRUPT' };
    await expect(read(zipSync({ mimetype: strToU8('application/epub+zip') }))).rejects.toMatchObject(damaged);
    await expect(read(withParts({ 'OEBPS/book.opf': strToU8('<package><manifest>') }))).rejects.toMatchObject(damaged);
  });

  it('is refused if it unpacks to more than allowed', async () => {
    const bomb = madeBook([{ name: 'a.xhtml', body: 'a'.repeat(5_000_000) }]);
    await expect(readBytes(bomb, { fileName: 'a.epub' }, { inflateRatio: 100 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    const many = madeBook([chapter, chapter, chapter]);
    await expect(readBytes(many, { fileName: 'a.epub' }, { pages: 2 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});
