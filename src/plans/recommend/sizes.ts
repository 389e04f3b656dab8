import { leastMaxTokens } from '../../chunking/strategy-catalogue.js';
import { Level } from '../../domain/plan/strategy.js';
import { hasSections, type Sighting } from './sighting.js';

/**
 * Sizes worth aiming at where the limits leave room: a child is about one thought, a parent about one page. One vector
 * stands for a whole child: asked for one sentence among sections of 120 tokens, the bundled model ranked the section
 * that holds it first in 19 of 24 handbooks, and a child of at most 96 tokens in all of them.
 */
const parentTarget = 1_024;
const childTarget = 96;
/** Room that equal parts get, so that cuts fall on sentence ends without one part more. */
const slack = 1.15;
/** Far above what texts made of words have. */
const mostCharsPerToken = 20;
/** What every chunk holds beside its text, to the models in use. */
const specialTokens = 2;

/** Most tokens of a recommended parent. */
export function parentTokens({ limits }: Sighting): number {
  return Math.min(parentTarget, limits.PARENT.maxTokens);
}

/** Most tokens that a recommended child could have. */
export function childCeiling(seen: Sighting): number {
  return Math.min(childTarget, seen.limits.CHILD.maxTokens, parentTokens(seen));
}

/** Most tokens of a recommended child: the ceiling, or less where that divides a typical section more evenly. */
export function childTokens(seen: Sighting): number {
  if (!hasSections(seen) || sectionsFitChildren(seen)) return childCeiling(seen);
  const share = Math.ceil((sectionInParent(seen) / childrenPerSection(seen)) * slack);
  return Math.max(leastMaxTokens, Math.min(childCeiling(seen), share));
}

/** Most tokens of a recommended chunk of a level. */
export function tokensOf(seen: Sighting, level: Level): number {
  return level === Level.Parent ? parentTokens(seen) : childTokens(seen);
}

/** The whole text is one child. */
export function isShort(seen: Sighting): boolean {
  return fits(seen.features.tokens, childCeiling(seen)) && seen.features.chars <= seen.limits.CHILD.maxChars;
}

/** Most of what counts as a sentence is longer than a child may be: there is nothing to cut along. */
export function isSolid(seen: Sighting): boolean {
  return !fits(seen.features.sentenceTokensMedian, childCeiling(seen));
}

/**
 * Words so long that the model takes each for one unknown token, so that tokens say nothing about length: the limit of
 * characters decides.
 */
export function hasHugeWords(seen: Sighting): boolean {
  return charsPerToken(seen) > mostCharsPerToken;
}

/** Running text has 3 to 6, and never many more. */
export function charsPerToken({ features }: Sighting): number {
  return features.tokens === 0 ? 0 : Math.round(features.chars / features.tokens);
}

/** Some sentences are longer than a child may be. */
export function hasLongSentences(seen: Sighting): boolean {
  return !fits(seen.features.sentenceTokensMax, childTokens(seen));
}

/** Some sections are longer than a parent may be. */
export function hasLongSections(seen: Sighting): boolean {
  return hasSections(seen) && !fits(seen.features.sectionTokensMax, parentTokens(seen));
}

/** A typical section is one child as it is. */
export function sectionsFitChildren(seen: Sighting): boolean {
  return hasSections(seen) && fits(seen.features.sectionTokensMedian, childCeiling(seen));
}

/** Children into which a typical section falls. */
export function childrenPerSection(seen: Sighting): number {
  return Math.max(1, Math.ceil(sectionInParent(seen) / childCeiling(seen)));
}

function sectionInParent(seen: Sighting): number {
  return Math.min(seen.features.sectionTokensMedian + specialTokens, parentTokens(seen));
}

function fits(tokens: number, chunkTokens: number): boolean {
  return tokens + specialTokens <= chunkTokens;
}
