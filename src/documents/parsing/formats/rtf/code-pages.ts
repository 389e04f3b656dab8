import { decodeAs } from '../../text/encoding/known-encodings.js';

/** Encodings by the numbers of code pages, where these are not their names. */
const encodings: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gb18030'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [874, 'windows-874'],
  [1361, 'euc-kr'],
  [10_000, 'macintosh'],
  [10_001, 'shift_jis'],
  [10_002, 'big5'],
  [10_003, 'euc-kr'],
  [10_006, 'macgreek'],
  [10_007, 'maccyrillic'],
  [10_008, 'gb18030'],
  [10_029, 'maccenteuro'],
  [10_081, 'macturkish'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);
const dosPages: ReadonlySet<number> = new Set([
  437, 737, 775, 850, 852, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869,
]);

/** The encoding of a code page; undefined if it is not known. */
export function encodingOfPage(page: number): string | undefined {
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  return encodings.get(page) ?? (dosPages.has(page) ? `cp${page}` : undefined);
}

/** Code pages of the character sets of fonts. 0 and 1 stand for that of the document. */
const pagesOfCharsets: Readonly<Record<number, number>> = {
  77: 10_000,
  78: 10_001,
  79: 10_003,
  80: 10_008,
  81: 10_002,
  85: 10_006,
  86: 10_081,
  88: 10_029,
  89: 10_007,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

export function encodingOfCharset(charset: number): string | undefined {
  const page = pagesOfCharsets[charset];
  return page === undefined ? undefined : encodingOfPage(page);
}

const doubleByte: ReadonlySet<string> = new Set(['shift_jis', 'gb18030', 'euc-kr', 'big5']);

/**
 * Decodes bytes of a font that does not say what they are. In a document of a Chinese, Japanese or Korean program they
 * may be its double bytes, or single letters of a Western font.
 */
export function decodeUnsaid(bytes: Buffer, ofDocument: string): string {
  const text = decodeAs(bytes, ofDocument);
  if (!doubleByte.has(ofDocument) || !text.includes('\ufffd')) return text;
  return decodeAs(bytes, 'windows-1252');
}

/** How many bytes a character takes that begins with this one. */
export function widthIn(encoding: string, byte: number): 1 | 2 {
  if (!doubleByte.has(encoding) || byte < 0x81 || byte === 0xff) return 1;
  return encoding === 'shift_jis' && byte >= 0xa0 && byte <= 0xdf ? 1 : 2;
}
