import chardet from 'chardet';
import type { EncodingGuess } from './double-byte.js';

/** Names that the detector gives, and the supersets of them that are really in use. */
const latin: Readonly<Record<string, string>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'iso-8859-2',
  'ISO-8859-9': 'windows-1254',
  'windows-1250': 'windows-1250',
  'windows-1252': 'windows-1252',
  'windows-1254': 'windows-1254',
};
const otherScripts: Readonly<Record<string, string>> = {
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-6': 'iso-8859-6',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'windows-1251': 'windows-1251',
  'windows-1253': 'windows-1253',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'KOI8-R': 'koi8-r',
};
/** Below this the detector's word is worth less than which encoding is the most usual. */
const leastForRarer = 0.3;

/** The encoding of one-byte characters that the bytes' letters point to. Any bytes can be read as Windows-1252. */
export function guessSingleByte(sample: Buffer): EncodingGuess {
  const isLatin = shareInRuns(sample) < 0.8;
  const names = isLatin ? latin : otherScripts;
  const usual = isLatin ? 'windows-1252' : 'windows-1251';
  for (const { name, confidence } of chardet.analyse(sample)) {
    const encoding = names[name];
    const share = confidence / 100;
    if (!encoding || (isLatin && encoding !== usual && share < leastForRarer)) continue;
    return { encoding, confidence: Math.min(0.99, share) };
  }
  return { encoding: usual, confidence: 0.1 };
}

/** Share of the bytes beyond ASCII that stand in a row of three or more: words of another script, not accents. */
function shareInRuns(sample: Buffer): number {
  let high = 0;
  let inRuns = 0;
  let run = 0;
  for (let i = 0; i <= sample.length; i += 1) {
    if ((sample[i] ?? 0) >= 0x80) {
      run += 1;
      continue;
    }
    high += run;
    if (run >= 3) inRuns += run;
    run = 0;
  }
  return high === 0 ? 0 : inRuns / high;
}
