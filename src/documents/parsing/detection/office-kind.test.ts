import { describe, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { docxFile, para } from '../../../testing/fixtures/docx-file.js';
import { asStrict, officeFile, withPart } from '../../../testing/fixtures/office-file.js';
import { readBytes } from '../../../testing/read-bytes.js';

const body = para('Some text');
const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

const read = (bytes: Uint8Array, fileName = 'a.docx'): ReturnType<typeof readBytes> => readBytes(bytes, { fileName });

describe('Office files', () => {
  it.each([
    ['a.docm', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
    ['a.dotx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml'],
    ['a.dotm', 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml'],
  ])('are Word documents as %s', async (fileName, mainType) => {
    expect(await read(docxFile(body, { mainType }), fileName)).toMatchObject({ text: 'Some text', warnings: [] });
  });

  it('are what they are under any name', async () => {
    const { text, warnings } = await read(docxFile(body), 'a.txt');
    expect(text).toBe('Some text');
    expect(warnings.map(({ code }) => code)).toEqual(['OTHER_TYPE']);
  });

  it('are known by their main part, wherever it lies', async () => {
    const xml = `<x:document xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><x:body><x:p><x:r><x:t>Odd</x:t></x:r></x:p></x:body></x:document>`;
    expect((await read(officeFile([{ name: 'content/doc1.xml', contentType: main, xml }]))).text).toBe('Odd');
  });

  it('are known by half of what they say of themselves', async () => {
    const file = docxFile(body);
    const untyped = withPart(file, '[Content_Types].xml', (xml) => xml.replace(main, 'application/xml'));
    expect((await read(untyped)).text).toBe('Some text');
    const unrelated = withPart(file, '_rels/.rels', () => undefined);
    expect((await read(unrelated)).text).toBe('Some text');
  });

  it('are read in their strict kind', async () => {
    const otherPrefix = (xml: string): string => xml.replace(/\bw:/g, 'q:').replace('xmlns:w=', 'xmlns:q=');
    const strict = withPart(asStrict(docxFile(body)), 'word/document.xml', otherPrefix);
    const xml = strFromU8(unzipSync(strict)['word/document.xml'] ?? new Uint8Array());
    expect(xml).toContain('xmlns:q="http://purl.oclc.org/ooxml/wordprocessingml/main"');
    expect((await read(strict)).text).toBe('Some text');
  });

  it('say what is wrong with them', async () => {
    const file = docxFile(body);
    const without = withPart(file, 'word/document.xml', () => undefined);
    await expect(read(without)).rejects.toMatchObject({
      code: 'CORRUPT',
      message: expect.stringContaining('main part'),
    });
    const broken = withPart(file, 'word/document.xml', (xml) => xml.slice(0, -20));
    await expect(read(broken)).rejects.toMatchObject({
      code: 'CORRUPT',
      message: 'The file is damaged: its part "word/document.xml" is not well-formed XML.',
    });
    await expect(read(docxFile(''))).rejects.toMatchObject({ code: 'NO_TEXT' });
    const locked = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    await expect(read(locked)).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  it('that cannot be read are named', async () => {
    const binary = officeFile([
      { name: 'xl/workbook.bin', contentType: 'application/vnd.ms-excel.sheet.binary.macroEnabled.main', xml: 'x' },
    ]);
    await expect(read(binary, 'a.xlsb')).rejects.toMatchObject({
      code: 'UNSUPPORTED_TYPE',
      message: expect.stringContaining('binary Excel'),
    });
  });
});
