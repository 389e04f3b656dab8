import { percent, type Rule } from './rule.js';
import { hasManyTables, hasMuchCode, hasSections, modelCannotRead, unreadableShare } from './sighting.js';
import {
  childTokens,
  childrenPerSection,
  hasLongSections,
  hasLongSentences,
  isShort,
  isSolid,
  parentTokens,
  sectionsFitChildren,
} from './sizes.js';

/** Why the sizes and the further steps of a recommendation are what they are. Every rule that applies speaks, in order. */
export const noteRules: readonly Rule[] = [
  {
    code: 'CHILDREN_FOLLOW_SECTIONS',
    applies: (seen) => sectionsFitChildren(seen) && !isShort(seen),
    evidence: (seen) => ({ sectionTokensMedian: seen.features.sectionTokensMedian, childTokens: childTokens(seen) }),
    text: ({ sectionTokensMedian, childTokens: size }) => ({
      en: `A typical section has ${sectionTokensMedian} tokens and fits into one child of at most ${size}.`,
      zh: `典型小节有 ${sectionTokensMedian} 个词元，可放入一个上限为 ${size} 的子块。`,
    }),
  },
  {
    code: 'CHILDREN_DIVIDE_SECTIONS',
    applies: (seen) => hasSections(seen) && !sectionsFitChildren(seen) && !isShort(seen),
    evidence: (seen) => ({
      sectionTokensMedian: seen.features.sectionTokensMedian,
      childrenPerSection: childrenPerSection(seen),
      childTokens: childTokens(seen),
      childMaxTokens: seen.limits.CHILD.maxTokens,
    }),
    text: ({ sectionTokensMedian, childrenPerSection: parts, childTokens: size }) => ({
      en: `A typical section of ${sectionTokensMedian} tokens falls into ${parts} or more children of about equal size: a child has at most ${size} tokens.`,
      zh: `典型小节 ${sectionTokensMedian} 个词元，均分为至少 ${parts} 个大小相近的子块：子块上限取 ${size} 个词元。`,
    }),
  },
  {
    code: 'LONG_SECTIONS',
    applies: (seen) => hasLongSections(seen) && !isShort(seen),
    evidence: (seen) => ({ sectionTokensMax: seen.features.sectionTokensMax, parentTokens: parentTokens(seen) }),
    text: ({ sectionTokensMax, parentTokens: size }) => ({
      en: `The longest section has ${sectionTokensMax} tokens: sections over ${size} are cut again.`,
      zh: `最长小节有 ${sectionTokensMax} 个词元：超过 ${size} 的小节会再次切分。`,
    }),
  },
  {
    code: 'LONG_SENTENCES',
    applies: (seen) => hasLongSentences(seen) && !isSolid(seen) && !hasManyTables(seen) && !hasMuchCode(seen),
    evidence: (seen) => ({ sentenceTokensMax: seen.features.sentenceTokensMax, childTokens: childTokens(seen) }),
    text: ({ sentenceTokensMax, childTokens: size }) => ({
      en: `The longest sentence has ${sentenceTokensMax} tokens: what is over ${size} is cut again at commas and words.`,
      zh: `最长句子有 ${sentenceTokensMax} 个词元：超过 ${size} 的部分在逗号和词处再次切分。`,
    }),
  },
];

/** What a person should know whichever way the text is cut. Every rule that applies speaks. */
export const warningRules: readonly Rule[] = [
  {
    code: 'MODEL_CANNOT_READ',
    applies: modelCannotRead,
    evidence: ({ features, model }) => ({
      unknownTokenShare: features.unknownTokenShare,
      threshold: unreadableShare,
      modelId: model.id,
    }),
    text: ({ unknownTokenShare, modelId }) => ({
      en: `The embedding model ${modelId} does not know ${percent(unknownTokenShare)} of the tokens: search by meaning will find little in this text. Set EMBEDDING_MODEL to a model of its language, then build again. Full-text search works as it is.`,
      zh: `向量模型 ${modelId} 不认识其中 ${percent(unknownTokenShare)} 的词元：对本文的语义检索基本无效。请将 EMBEDDING_MODEL 设为支持该语言的模型后重新构建。全文检索不受影响。`,
    }),
  },
];
