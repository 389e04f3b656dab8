import iconv from 'iconv-lite';
import { everydayShare } from './everyday-characters.js';

/** How well bytes fit an encoding. */
export interface EncodingGuess {
  readonly encoding: string;
  /** 0–1. */
  readonly confidence: number;
}

interface DoubleByte {
  readonly encoding: string;
  readonly language: Parameters<typeof everydayShare>[1];
  readonly isLead: (byte: number) => boolean;
  /** True for the pairs that the encoding keeps for the characters people use most. */
  readonly isCommon: (lead: number, trail: number) => boolean;
  /** True for punctuation and symbols, which say nothing. */
  readonly isMark: (lead: number, trail: number) => boolean;
}

const between = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to;

/** In this order where nothing tells two apart. */
const candidates: readonly DoubleByte[] = [
  {
    encoding: 'gb18030',
    language: 'simplified',
    isLead: (byte) => between(byte, 0x81, 0xfe),
    isCommon: (lead, trail) => between(lead, 0xb0, 0xd7) && trail >= 0xa1,
    isMark: (lead, trail) => between(lead, 0xa1, 0xa3) && trail >= 0xa1,
  },
  {
    encoding: 'big5',
    language: 'traditional',
    isLead: (byte) => between(byte, 0x81, 0xfe),
    isCommon: (lead) => between(lead, 0xa4, 0xc6),
    isMark: (lead) => between(lead, 0xa1, 0xa3),
  },
  {
    encoding: 'shift_jis',
    language: 'japanese',
    isLead: (byte) => between(byte, 0x81, 0x9f) || between(byte, 0xe0, 0xfc),
    isCommon: (lead) => between(lead, 0x82, 0x83) || between(lead, 0x88, 0x98),
    isMark: (lead) => lead === 0x81,
  },
  {
    encoding: 'euc-kr',
    language: 'korean',
    isLead: (byte) => between(byte, 0x81, 0xfe),
    isCommon: (lead, trail) => between(lead, 0xb0, 0xc8) && trail >= 0xa1,
    isMark: (lead, trail) => between(lead, 0xa1, 0xa3) && trail >= 0xa1,
  },
  {
    encoding: 'euc-jp',
    language: 'japanese',
    isLead: (byte) => between(byte, 0xa1, 0xfe),
    isCommon: (lead) => between(lead, 0xa4, 0xa5) || between(lead, 0xb0, 0xcf),
    isMark: (lead) => between(lead, 0xa1, 0xa3),
  },
];

/** Running text of a language has at least this share of everyday characters; less counts in proportion. */
const everydayExpected = 0.25;
/** Of the score, the part that the everyday characters make; the places of the others make the rest. */
const everydayWeight = 0.7;

/**
 * The encoding of two-byte characters that the bytes fit best, if they are free of errors in it.
 *
 * @param sample bytes that do not end inside a character, or end the text.
 */
export function guessDoubleByte(sample: Buffer): EncodingGuess | undefined {
  const guesses = candidates.map((candidate) => judge(candidate, sample)).filter((guess) => guess !== undefined);
  return guesses.reduce<EncodingGuess | undefined>(
    (best, guess) => (best && best.confidence >= guess.confidence ? best : guess),
    undefined,
  );
}

function judge(candidate: DoubleByte, sample: Buffer): EncodingGuess | undefined {
  const { pairs, common } = countPairs(candidate, sample);
  if (pairs === 0) return undefined;
  const text = iconv.decode(sample, candidate.encoding);
  if (text.includes('\ufffd')) return undefined;
  const everyday = Math.min(1, everydayShare(text, candidate.language) / everydayExpected);
  const places = common / pairs;
  if (places < 0.9 && everyday < 0.4) return undefined;
  const score = everyday * everydayWeight + places * (1 - everydayWeight);
  // A few characters prove less than many.
  return { encoding: candidate.encoding, confidence: Math.min(0.99, score * (1 - 0.5 / (1 + pairs / 2))) };
}

function countPairs({ isLead, isCommon, isMark }: DoubleByte, sample: Buffer): { pairs: number; common: number } {
  let pairs = 0;
  let common = 0;
  for (let i = 0; i + 1 < sample.length; i += 1) {
    const lead = sample[i] ?? 0;
    if (!isLead(lead)) {
      // Half-width kana and the like: letters, but not what people write most.
      if (lead >= 0xa1) pairs += 1;
      continue;
    }
    const trail = sample[i + 1] ?? 0;
    i += 1;
    if (isMark(lead, trail)) continue;
    pairs += 1;
    if (isCommon(lead, trail)) common += 1;
  }
  return { pairs, common };
}
