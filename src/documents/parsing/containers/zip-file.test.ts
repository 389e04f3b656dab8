import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { testReadLimits, withFile } from '../../../testing/read-bytes.js';
import type { ReadLimits } from '../read-limits.js';
import { SourceFile } from '../source-file.js';
import { ZipFile } from './zip-file.js';

function inZip<Result>(
  bytes: Uint8Array,
  use: (zip: ZipFile) => Promise<Result>,
  limits: Partial<ReadLimits> = {},
): Promise<Result> {
  return withFile(bytes, async (path) => {
    const file = await SourceFile.open(path);
    try {
      return await use(await ZipFile.open(file, { ...testReadLimits, ...limits }));
    } finally {
      await file.close();
    }
  });
}

const zeros = (size: number): Uint8Array => zipSync({ 'a.xml': new Uint8Array(size) });
const drain = async (zip: ZipFile): Promise<number> => (await buffer(await zip.stream('a.xml'))).length;

describe('ZipFile', () => {
  it('reads parts by name, whatever the case and with a slash in front', async () => {
    const bytes = zipSync({ 'word/Document.xml': strToU8('<a/>'), b: strToU8('x'.repeat(100_000)) });
    await inZip(bytes, async (zip) => {
      expect(zip.names).toEqual(['word/Document.xml', 'b']);
      expect(zip.has('/word/document.XML')).toBe(true);
      expect(await text(await zip.stream('word/document.xml'))).toBe('<a/>');
      expect(String(await zip.read('b'))).toBe('x'.repeat(100_000));
      await expect(zip.stream('c')).rejects.toMatchObject({ code: 'CORRUPT', message: expect.stringContaining('"c"') });
    });
  });

  it('stops at a part that grows too much, and at too much of all parts together', async () => {
    const error = (limit: string): unknown => ({ code: 'TOO_LARGE', details: { limit, max: expect.any(Number) } });
    const bomb = zeros(20 * 1024 * 1024);
    await expect(inZip(bomb, drain, { inflateRatio: 100 })).rejects.toMatchObject(error('inflateRatio') as object);
    await expect(inZip(bomb, drain, { inflatedBytes: 9_000_000, inflateRatio: 5_000 })).rejects.toMatchObject(
      error('inflatedBytes') as object,
    );
    const twice = async (zip: ZipFile): Promise<number> => (await drain(zip)) + (await drain(zip));
    await expect(inZip(zeros(600_000), twice, { inflatedBytes: 1_000_000 })).rejects.toMatchObject(
      error('inflatedBytes') as object,
    );
    const twoLooks = async (zip: ZipFile): Promise<number> =>
      (await buffer(await zip.stream('a.xml', { isSecondLook: true }))).length + (await drain(zip));
    expect(await inZip(zeros(600_000), twoLooks, { inflatedBytes: 1_000_000 })).toBe(1_200_000);
    expect(await inZip(zeros(600_000), drain)).toBe(600_000);
  });

  it('does not believe what an archive says of the size of a part', async () => {
    const bytes = Buffer.from(zeros(2_000_000));
    const entry = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(10, entry + 24);
    await expect(inZip(bytes, drain)).rejects.toMatchObject({ code: 'CORRUPT' });
  });

  it('refuses too many parts', async () => {
    const parts = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}`, new Uint8Array(1)]));
    await expect(inZip(zipSync(parts), drain, { entries: 20 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('says when it is protected, cut off, or no archive', async () => {
    const locked = Buffer.from(zeros(100));
    locked.writeUInt16LE(1, locked.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 8);
    await expect(inZip(locked, drain)).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const whole = Buffer.from(zeros(100_000));
    await expect(inZip(whole.subarray(0, 60), drain)).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(inZip(Buffer.from('no archive'), drain)).rejects.toMatchObject({ code: 'CORRUPT' });
    const broken = Buffer.from(whole);
    broken.fill(0xff, 40, 90);
    await expect(inZip(broken, drain)).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
