import { Level, levels, type PlanStep } from '../../domain/plan/strategy.js';
import { percent, type CuttingRule, type Evidence } from './rule.js';
import {
  hasManyTables,
  hasMuchCode,
  hasSections,
  isCjk,
  isMostlyCode,
  isMostlyTables,
  isProse,
  type Sighting,
} from './sighting.js';
import {
  charsPerToken,
  childCeiling,
  hasHugeWords,
  hasLongSections,
  hasLongSentences,
  isShort,
  isSolid,
  parentTokens,
  sectionsFitChildren,
} from './sizes.js';
import { recursive, sentence, structure, tableRows } from './steps.js';

/**
 * How a level is cut. Of one level the first rule that applies decides, so the order is the order of importance; the
 * last rule of each level always applies.
 */
export const cuttingRules: readonly CuttingRule[] = [
  {
    code: 'TEXT_IS_ONE_CHUNK',
    levels,
    applies: isShort,
    steps: (seen, level) => [recursive(seen, level)],
    evidence: (seen) => ({
      tokens: seen.features.tokens,
      chars: seen.features.chars,
      childMaxTokens: childCeiling(seen),
      childMaxChars: seen.limits.CHILD.maxChars,
    }),
    text: ({ tokens, childMaxTokens }) => ({
      en: `The whole text has ${tokens} tokens, and a child may have ${childMaxTokens}: it stays in one piece.`,
      zh: `全文共 ${tokens} 个词元，子块上限为 ${childMaxTokens}：整体作为一块。`,
    }),
  },
  {
    code: 'TABLES_BY_ROWS',
    levels,
    applies: isMostlyTables,
    steps: (seen, level) => [structure(seen, level), tableRows(seen, level), recursive(seen, level)],
    evidence: tableEvidence,
    text: ({ tables, tableShare }) => ({
      en: `${percent(tableShare)} of the text is in tables (${tables}): tables stay apart from the text around them and are cut between rows, never inside one that fits.`,
      zh: `${percent(tableShare)} 的内容在表格中（共 ${tables} 个）：表格与周围文字分开，并在行之间切分，能容纳的行不会被拆开。`,
    }),
  },
  {
    code: 'PARENTS_FOLLOW_HEADINGS',
    levels: [Level.Parent],
    applies: hasSections,
    steps: (seen, level) => [structure(seen, level), ...when(hasLongSections(seen), recursive(seen, level))],
    evidence: (seen) => ({
      headings: seen.features.headings,
      headingDepth: seen.features.headingDepth,
      sectionTokensMedian: seen.features.sectionTokensMedian,
      parentTokens: parentTokens(seen),
    }),
    text: ({ headings, headingDepth, sectionTokensMedian }) => ({
      en: `The text has ${headings} headings, down to level ${headingDepth}, and ${sectionTokensMedian} tokens in a typical section: parents follow the headings.`,
      zh: `文中有 ${headings} 个标题，最深为 ${headingDepth} 级，典型小节 ${sectionTokensMedian} 个词元：父块按标题切分。`,
    }),
  },
  {
    code: 'CODE_STAYS_WHOLE',
    levels: [Level.Parent],
    applies: isMostlyCode,
    steps: (seen, level) => [structure(seen, level), recursive(seen, level)],
    evidence: codeEvidence,
    text: ({ codeShare }) => ({
      en: `${percent(codeShare)} of the text is code: parents keep code blocks whole as long as they fit.`,
      zh: `${percent(codeShare)} 的内容是代码：父块在长度允许时保持代码块完整。`,
    }),
  },
  {
    code: 'CODE_BY_LINES',
    levels: [Level.Child],
    applies: hasMuchCode,
    steps: (seen, level) => [structure(seen, level), recursive(seen, level)],
    evidence: codeEvidence,
    text: ({ codeShare }) => ({
      en: `${percent(codeShare)} of the text is code, which has lines rather than sentences: a code block that fits stays whole, a longer one is cut at blank lines, then at line ends.`,
      zh: `${percent(codeShare)} 的内容是代码，以行而非句子组织：能容纳的代码块保持完整，较长的先在空行处、再在行尾切分。`,
    }),
  },
  {
    code: 'TABLES_AMONG_TEXT',
    levels: [Level.Child],
    applies: hasManyTables,
    steps: (seen, level) => [structure(seen, level), tableRows(seen, level), recursive(seen, level)],
    evidence: tableEvidence,
    text: ({ tables, tableShare }) => ({
      en: `${percent(tableShare)} of the text is in tables (${tables}): children keep rows whole and repeat the header beside them.`,
      zh: `${percent(tableShare)} 的内容在表格中（共 ${tables} 个）：子块保持表格行完整，并附带表头。`,
    }),
  },
  {
    code: 'NO_WORDS',
    levels,
    applies: hasHugeWords,
    steps: (seen, level) => [recursive(seen, level)],
    evidence: (seen) => ({
      charsPerToken: charsPerToken(seen),
      chars: seen.features.chars,
      tokens: seen.features.tokens,
      childMaxChars: seen.limits.CHILD.maxChars,
    }),
    text: ({ charsPerToken: chars, childMaxChars }) => ({
      en: `A token stands for ${chars} characters on average, so most of the text is not made of words: it is cut at the separators it has, and at ${childMaxChars} characters where it has none.`,
      zh: `平均每个词元对应 ${chars} 个字符，说明文本大多不由词组成：有分隔符处按分隔符切分，没有时每 ${childMaxChars} 个字符切分。`,
    }),
  },
  {
    code: 'NO_SENTENCE_ENDS',
    levels,
    applies: isSolid,
    steps: (seen, level) => [recursive(seen, level)],
    evidence: (seen) => ({
      sentences: seen.features.sentences,
      sentenceTokensMedian: seen.features.sentenceTokensMedian,
      sentenceTokensMax: seen.features.sentenceTokensMax,
      childMaxTokens: childCeiling(seen),
    }),
    text: ({ sentenceTokensMedian, childMaxTokens }) => ({
      en: `A typical stretch without a sentence end has ${sentenceTokensMedian} tokens, and a child may have ${childMaxTokens}: the text is cut at the coarsest separators it has, and by size where it has none.`,
      zh: `典型的无句末标点片段有 ${sentenceTokensMedian} 个词元，而子块上限为 ${childMaxTokens}：按文中最粗的分隔符切分，没有分隔符时按大小切分。`,
    }),
  },
  {
    code: 'PARENTS_GATHER_PARAGRAPHS',
    levels: [Level.Parent],
    applies: () => true,
    steps: (seen, level) => [recursive(seen, level)],
    evidence: (seen) => ({
      headings: seen.features.headings,
      paragraphs: seen.features.paragraphs,
      listItems: seen.features.listItems,
      parentTokens: parentTokens(seen),
    }),
    text: ({ headings, paragraphs, parentTokens: size }) => ({
      en: `There is no outline to follow (headings: ${headings}, paragraphs: ${paragraphs}): parents gather whole paragraphs and items up to ${size} tokens.`,
      zh: `没有可依据的标题结构（标题 ${headings} 个，段落 ${paragraphs} 个）：父块聚合完整的段落和列表项，上限 ${size} 个词元。`,
    }),
  },
  {
    code: 'CJK_BY_SENTENCES',
    levels: [Level.Child],
    applies: isCjk,
    steps: childrenOfSentences,
    evidence: sentenceEvidence,
    text: ({ cjkShare, sentenceTokensMedian }) => ({
      en: `${percent(cjkShare)} of the letters are Chinese, Japanese or Korean, mostly written without spaces: children end at sentence ends such as 。！？ (a typical sentence has ${sentenceTokensMedian} tokens).`,
      zh: `${percent(cjkShare)} 的文字为中日韩文字，词间多无空格：子块在 。！？ 等句末处切分（典型句子 ${sentenceTokensMedian} 个词元）。`,
    }),
  },
  {
    code: 'PROSE_BY_SENTENCES',
    levels: [Level.Child],
    applies: isProse,
    steps: childrenOfSentences,
    evidence: sentenceEvidence,
    text: ({ sentences, paragraphs, sentenceTokensMedian }) => ({
      en: `There are ${sentences} sentences in ${paragraphs} paragraphs, typically of ${sentenceTokensMedian} tokens: children are made of whole sentences.`,
      zh: `${paragraphs} 个段落中有 ${sentences} 个句子，典型句子 ${sentenceTokensMedian} 个词元：子块由完整句子组成。`,
    }),
  },
  {
    code: 'ITEMS_BY_LINES',
    levels: [Level.Child],
    applies: () => true,
    steps: (seen, level) => [structure(seen, level), recursive(seen, level)],
    evidence: ({ features: { listItems, paragraphs, sentences } }) => ({ listItems, paragraphs, sentences }),
    text: ({ listItems, paragraphs }) => ({
      en: `The text is made of short pieces (${listItems} list items, ${paragraphs} paragraphs) rather than running sentences: children gather them whole.`,
      zh: `文本由短小片段组成（列表项 ${listItems} 个，段落 ${paragraphs} 个），而非连续句子：子块按完整片段聚合。`,
    }),
  },
];

function when(needed: boolean, step: PlanStep): PlanStep[] {
  return needed ? [step] : [];
}

/** Where sections are children as they are, they are cut out before sentences are gathered. */
function childrenOfSentences(seen: Sighting, level: Level): PlanStep[] {
  return [
    ...when(sectionsFitChildren(seen), structure(seen, level)),
    sentence(seen, level),
    ...when(hasLongSentences(seen), recursive(seen, level)),
  ];
}

function sentenceEvidence({ features }: Sighting): Evidence {
  const { sentences, paragraphs, sentenceTokensMedian, sentenceTokensMax, cjkShare } = features;
  return { sentences, paragraphs, sentenceTokensMedian, sentenceTokensMax, cjkShare };
}

function tableEvidence({ features: { tables, tableShare } }: Sighting): Evidence {
  return { tables, tableShare };
}

function codeEvidence({ features: { codeShare } }: Sighting): Evidence {
  return { codeShare };
}
