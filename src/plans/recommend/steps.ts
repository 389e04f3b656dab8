import { Level, Strategy, type PlanStep } from '../../domain/plan/strategy.js';
import { hasSections, type Sighting } from './sighting.js';
import { childTokens, parentTokens, sectionsFitChildren, tokensOf } from './sizes.js';

// Steps as the rules use them. Their parameters are those that a recommendation has an opinion on; the catalogue's
// defaults complete them.

/** Where sections are children, a parent takes in a few of them. */
export function structure(seen: Sighting, level: Level): PlanStep {
  const maxTokens = tokensOf(seen, level);
  const gathers = level === Level.Parent && sectionsFitChildren(seen);
  return {
    level,
    strategy: Strategy.Structure,
    params: { maxTokens, ...(gathers ? { minTokens: fewSections(seen) } : {}) },
  };
}

function fewSections(seen: Sighting): number {
  const few = Math.max(3 * Math.ceil(seen.features.sectionTokensMedian), childTokens(seen));
  return Math.min(few, Math.floor(parentTokens(seen) / 2));
}

export function recursive(seen: Sighting, level: Level): PlanStep {
  return { level, strategy: Strategy.Recursive, params: { maxTokens: tokensOf(seen, level) } };
}

export function tableRows(seen: Sighting, level: Level): PlanStep {
  return { level, strategy: Strategy.TableRows, params: { maxTokens: tokensOf(seen, level) } };
}

/** Without headings, a chunk repeats about one sentence of the one before it, so that no thought begins from nowhere. */
export function sentence(seen: Sighting, level: Level): PlanStep {
  const maxTokens = tokensOf(seen, level);
  const oneSentence = Math.floor(Math.min(seen.features.sentenceTokensMedian, maxTokens / 4));
  return {
    level,
    strategy: Strategy.Sentence,
    params: { maxTokens, overlapTokens: hasSections(seen) ? 0 : oneSentence },
  };
}
