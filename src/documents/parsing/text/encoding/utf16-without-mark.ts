import { everydayShare } from './everyday-characters.js';

type Utf16 = 'utf-16le' | 'utf-16be';

/** Enough of a text to judge it. */
const sampleBytes = 65_536;

/** UTF-16 of mostly ASCII: every second byte is zero, and hardly any of the others. */
export function utf16ByZeros(bytes: Buffer): Utf16 | undefined {
  const length = Math.min(bytes.length, sampleBytes) & ~1;
  const units = length / 2;
  if (units === 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even += 1;
    if (bytes[i + 1] === 0) odd += 1;
  }
  if (odd * 2 >= units && even * 10 <= odd) return 'utf-16le';
  if (even * 2 >= units && odd * 10 <= even) return 'utf-16be';
  return undefined;
}

/** UTF-16 of other scripts: read so, nearly everything is a letter that people use, and in the wrong order it is not. */
export function utf16ByLetters(bytes: Buffer): Utf16 | undefined {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, sampleBytes);
  if (readsAsText(sample.toString('utf16le'))) return 'utf-16le';
  if (readsAsText(Buffer.from(sample).swap16().toString('utf16le'))) return 'utf-16be';
  return undefined;
}

const usual = /[\t\n\r\u0020-\u007e\u00a0-\u06ff\u0900-\u0e7f\u2000-\u206f\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/g;

function readsAsText(text: string): boolean {
  const share = (text.match(usual)?.length ?? 0) / text.length;
  const blanks = (text.match(/[\n\u0020]/g)?.length ?? 0) / text.length;
  if (share >= 0.97 && blanks >= 0.02) return true;
  const languages = ['simplified', 'traditional', 'japanese', 'korean'] as const;
  return languages.some((language) => everydayShare(text, language) >= 0.2) && !/[\ue000-\uf8ff]/.test(text);
}
