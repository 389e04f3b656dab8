import { countMatches } from './count-matches.js';

/** UTF-16 units that are looked at: language shows early. */
const sampleUnits = 50_000;
/** A script counts from this share of the letters. */
const leastShare = 0.3;

/** Scripts of one main language. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
];

/** Words that stand in nearly every sentence, for the languages of the Latin script. */
const commonWords: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  ['en', wordSet('the and of to in is that for it with as was are on be this by or not you from have')],
  ['de', wordSet('der die das und ist nicht ein eine zu den von mit sich auf für im dem des auch wird sind oder')],
  ['fr', wordSet('le la les des et est une dans que pour qui sur pas au avec par ce sont il du plus ou')],
  ['es', wordSet('el los las una que por con para es del se no al como más su lo pero son esta')],
  ['pt', wordSet('os uma que não para com por mais as dos da do em no na se é ao são também')],
  ['it', wordSet('il che di è per non una con sono del della gli nel alla si anche più le dei')],
  ['nl', wordSet('het een van en niet dat zijn op te met voor er aan ook wordt door deze bij')],
];
const leastWords = 3;
const leastWordShare = 0.06;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** ISO 639-1 code of the language that a text is mainly in, told by its script and commonest words; or undefined. */
export function detectLanguage(text: string): string | undefined {
  const sample = text.slice(0, sampleUnits);
  const letters = countMatches(sample, /\p{L}/gu);
  if (letters === 0) return undefined;
  const counts = new Map(scripts.map(([language, pattern]) => [language, countMatches(sample, pattern)]));
  const count = (language: string): number => counts.get(language) ?? 0;
  // Kana give Japanese away however many Han characters stand between them.
  const han = count('zh');
  if (count('ja') > 0 && count('ja') >= han * 0.1 && count('ja') + han >= letters * leastShare) return 'ja';
  for (const [language] of scripts) {
    if (language !== 'ja' && count(language) >= letters * leastShare) return language;
  }
  return byWords(sample);
}

function byWords(sample: string): string | undefined {
  const words = sample.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const scores = commonWords
    .map(([language, common]) => ({ language, hits: words.filter((word) => common.has(word)).length }))
    .sort((a, b) => b.hits - a.hits);
  const [best, second] = scores;
  if (!best || best.hits < leastWords || best.hits < words.length * leastWordShare) return undefined;
  return best.hits === second?.hits ? undefined : best.language;
}
