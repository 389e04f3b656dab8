import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';
import type { Segmenter } from '../../search/segmenter.js';
import { splitText } from './split-text.js';
import { wordTerms } from './word-terms.js';

/** Single characters that stand in most texts and say nothing alone. */
const weakCharacters = new Set(
  '的了着过是在有和与及或而也都就又还很不没这那此其之之我你他她它们个为以于对从向到把被让给将等吗呢吧啊么所则但',
);
const mostQueryTerms = 256;
/** A longer run of a script without spaces is a sentence, which nobody asks for letter by letter. */
const longestWord = 32;

/** A letter of any script with its marks. */
const letter = /\P{M}\p{M}*/gu;
const severalUnits = /[\p{M}\p{Cs}\u{10000}-\u{10ffff}]/u;

/**
 * Cuts Chinese into words with jieba's dictionary and its guesses at words outside it.
 *
 * How a dictionary cuts depends on what stands around: 研究生命 is 研究/生命, and 研究生 one word. So a stored text also gets
 * every character and every pair of neighbours as terms, and a query the pairs inside its words: whatever part of a text
 * is asked for, some term of it is there. Single characters of longer words are no terms of a query, which would match
 * nearly every text then. Japanese, Korean and Thai have no dictionary here and live on the pairs.
 */
export class JiebaSegmenter implements Segmenter {
  readonly version = 1;
  private readonly jieba = Jieba.withDict(dict);

  segment(text: string): string {
    const { han, syllabic, words } = splitText(text);
    const terms = words.flatMap(wordTerms);
    for (const run of [...han, ...syllabic]) {
      const units = unitsOf(run);
      for (const unit of units) terms.push(unit);
      for (const pair of pairsOf(units)) terms.push(pair);
    }
    // The shorter ones are there already.
    for (const word of [...this.cut(han), ...syllabic]) if (isLong(word)) terms.push(word);
    return join(terms);
  }

  segmentQuery(query: string): string {
    const { han, syllabic, words } = splitText(query);
    const strong = new Set(words.flatMap(wordTerms));
    const weak = new Set<string>();
    for (const word of [...this.cut(han), ...syllabic]) {
      const units = unitsOf(word);
      if (units.length === 1) (weakCharacters.has(word) ? weak : strong).add(word);
      for (const pair of pairsOf(units)) strong.add(pair);
      if (isLong(word)) strong.add(word);
    }
    const terms = [...(strong.size > 0 ? strong : weak)];
    if (terms.length <= mostQueryTerms) return join(terms);
    // The longest say most.
    return join(terms.sort((a, b) => b.length - a.length).slice(0, mostQueryTerms));
  }

  /** One call for all runs: a call costs as much as cutting a sentence. */
  private cut(runs: readonly string[]): string[] {
    return this.jieba.cutForSearch(runs.join('\n'), true).filter((word) => word !== '\n');
  }
}

function unitsOf(run: string): string[] {
  return severalUnits.test(run) ? (run.match(letter) ?? []) : run.split('');
}

function pairsOf(units: readonly string[]): string[] {
  return units.slice(1).map((unit, at) => `${units[at]}${unit}`);
}

/** Longer than the pairs, as far as code units tell. */
function isLong(word: string): boolean {
  return word.length > 2 && word.length <= longestWord;
}

function join(terms: readonly string[]): string {
  return terms.join(' ').toLowerCase();
}
