import type { LocalText } from '../domain/coded-value.js';
import { Level, levels as allLevels, Strategy, type ParamValue } from '../domain/plan/strategy.js';
import type { ChunkLimits } from '../domain/text/chunk.js';

/** `integer`: a whole number. `choice`: one of `choices`. `texts`: a list of strings, taken literally. */
export type ParamType = 'integer' | 'choice' | 'texts';

/** What a parameter may be. `min` and `max` bound an integer, or the number of entries of a list. */
export interface ParamBounds {
  readonly default: ParamValue;
  readonly min?: number;
  readonly max?: number;
}

/** One parameter of a strategy. The bounds beside the name are those of the level where the strategy is mostly used. */
export interface ParamDescriptor extends ParamBounds {
  readonly name: string;
  readonly type: ParamType;
  readonly choices?: readonly string[];
  readonly description: LocalText;
  /** The bounds of each level. */
  readonly byLevel: Readonly<Record<Level, ParamBounds>>;
}

/** What a person, a form and the validation need to know about a strategy. Name and text are in the domain's table. */
export interface StrategyDescriptor {
  readonly code: Strategy;
  readonly levels: readonly Level[];
  readonly params: readonly ParamDescriptor[];
  readonly available: boolean;
  readonly unavailableReason?: LocalText;
}

/** Smallest size of a chunk in tokens: two special ones, and room for any single character. */
export const leastMaxTokens = 8;
/** Most separators of a step, and most code points of one. */
export const mostSeparators = 50;
export const longestSeparator = 100;

/** Coarse to fine; cuts at words at last, so that only text without blanks is cut by force. */
export const defaultSeparators: readonly string[] = [
  '\n\n',
  '\n',
  '。',
  '！',
  '？',
  '. ',
  '! ',
  '? ',
  '；',
  '; ',
  '，',
  ', ',
  ' ',
];

const usualMaxTokens: Readonly<Record<Level, number>> = { [Level.Parent]: 1_200, [Level.Child]: 256 };
const usualMinTokens: Readonly<Record<Level, number>> = { [Level.Parent]: 150, [Level.Child]: 32 };
const mostRows = 10_000;

/** Every strategy of the service with its parameters under these limits, in the order of the codes. */
export function strategyCatalogue(limits: ChunkLimits): readonly StrategyDescriptor[] {
  return [structure(limits), recursive(limits), semantic, llm, sentence(limits), tableRows(limits)];
}

/** The descriptor of one strategy. */
export function describeStrategy(strategy: Strategy, limits: ChunkLimits): StrategyDescriptor {
  const found = strategyCatalogue(limits).find(({ code }) => code === strategy);
  if (!found) throw new Error(`strategy ${strategy} is not in the catalogue`);
  return found;
}

function structure(limits: ChunkLimits): StrategyDescriptor {
  const usual = Level.Parent;
  return available(Strategy.Structure, [
    maxTokens(limits, usual, {
      en: 'Most tokens of a piece. A section over it is cut between its blocks; a block over it is left to the next step.',
      zh: '切块的词元上限。超出的小节在段落等结构块之间切分；超出的结构块交给下一步骤。',
    }),
    minTokens(limits, usual, {
      en: 'A section under this size is joined with its neighbours under the same heading, as far as they fit.',
      zh: '小于该值的小节会与同一标题下的相邻小节合并（在上限之内）。',
    }),
    overlapTokens(limits, usual),
    param('headingDepth', 'integer', usual, () => ({ default: 6, min: 1, max: 6 }), {
      en: 'Deepest heading level that begins a piece of its own; deeper headings stay inside.',
      zh: '单独成块的最深标题级别；更深的标题留在块内。',
    }),
  ]);
}

function recursive(limits: ChunkLimits): StrategyDescriptor {
  const usual = Level.Child;
  const separatorBounds = { default: defaultSeparators, min: 1, max: mostSeparators };
  return available(Strategy.Recursive, [
    maxTokens(limits, usual, {
      en: 'Most tokens of a piece. What is over it is cut at the coarsest separator that fits.',
      zh: '切块的词元上限。超出部分在可用的最粗分隔符处切分。',
    }),
    minTokens(limits, usual, {
      en: 'Cuts that would leave a piece under this size are avoided where another one fits. It never undoes a cut that `merge` NONE asks for.',
      zh: '尽量避免产生小于该值的切块；不会取消 merge 为 NONE 时要求的切分。',
    }),
    overlapTokens(limits, usual),
    param('separators', 'texts', usual, () => separatorBounds, {
      en: 'Where to cut, coarse to fine. Every character counts as it is typed: nothing is trimmed, nothing is an escape or a pattern.',
      zh: '切分位置，由粗到细。按输入逐字匹配：不去空格，不解释转义或正则。',
    }),
    {
      ...param('keepSeparator', 'choice', usual, () => ({ default: 'END' }), {
        en: 'Whether a separator ends the piece before it (END) or begins the piece after it (START). Not given, it is START if a separator is a heading mark such as "\\n# ", else END.',
        zh: '分隔符归前一块末尾（END）还是后一块开头（START）。未填写时，分隔符含标题标记（如 "\\n# "）则为 START，否则为 END。',
      }),
      choices: ['START', 'END'],
    },
    {
      ...param('merge', 'choice', usual, () => ({ default: 'FILL' }), {
        en: 'FILL joins neighbouring pieces up to maxTokens. NONE cuts at every first separator, and uses the others only on what is still too long. Not given, it is NONE if separators are given, else FILL.',
        zh: 'FILL：相邻片段合并至 maxTokens。NONE：在每个首个分隔符处都切分，其余分隔符只用于仍然过长的片段。未填写时，指定了分隔符则为 NONE，否则为 FILL。',
      }),
      choices: ['FILL', 'NONE'],
    },
  ]);
}

function sentence(limits: ChunkLimits): StrategyDescriptor {
  const usual = Level.Child;
  return available(Strategy.Sentence, [
    maxTokens(limits, usual, {
      en: 'Most tokens of a piece. Whole sentences are gathered up to it; a sentence over it is left to the next step.',
      zh: '切块的词元上限。整句聚合至该值；超出的单句交给下一步骤。',
    }),
    minTokens(limits, usual, {
      en: 'Cuts that would leave a piece under this size are avoided where another one fits.',
      zh: '尽量避免产生小于该值的切块。',
    }),
    overlapTokens(limits, usual),
  ]);
}

function tableRows(limits: ChunkLimits): StrategyDescriptor {
  const usual = Level.Child;
  return available(Strategy.TableRows, [
    maxTokens(limits, usual, {
      en: 'Most tokens of a piece of a table. A row over it, and text that is no table, is left to the next step.',
      zh: '表格切块的词元上限。超出的单行以及非表格文本交给下一步骤。',
    }),
    param('maxRows', 'integer', usual, () => ({ default: 100, min: 1, max: mostRows }), {
      en: 'Most rows of a piece of a table, the header not counted.',
      zh: '每个表格切块的最多行数（不含表头）。',
    }),
  ]);
}

const semantic: StrategyDescriptor = {
  code: Strategy.Semantic,
  levels: allLevels,
  params: [],
  available: false,
  unavailableReason: {
    en: 'Cutting by meaning needs sentence embeddings while chunking, which this version does not compute. Use SENTENCE or STRUCTURE.',
    zh: '按语义切分需要在切分时计算句向量，当前版本不支持。请使用 SENTENCE 或 STRUCTURE。',
  },
};

const llm: StrategyDescriptor = {
  code: Strategy.Llm,
  levels: allLevels,
  params: [],
  available: false,
  unavailableReason: {
    en: 'Cutting by a language model needs a chat model, and this version connects to none. Use STRUCTURE or SENTENCE.',
    zh: '由大模型切分需要接入对话模型，当前版本未接入。请使用 STRUCTURE 或 SENTENCE。',
  },
};

function available(code: Strategy, params: readonly ParamDescriptor[]): StrategyDescriptor {
  return { code, levels: allLevels, params, available: true };
}

function param(
  name: string,
  type: ParamType,
  usual: Level,
  bounds: (level: Level) => ParamBounds,
  description: LocalText,
): ParamDescriptor {
  const byLevel = { [Level.Parent]: bounds(Level.Parent), [Level.Child]: bounds(Level.Child) };
  return { name, type, ...byLevel[usual], description, byLevel };
}

function maxTokens(limits: ChunkLimits, usual: Level, description: LocalText): ParamDescriptor {
  const bounds = (level: Level): ParamBounds => {
    const max = limits[level].maxTokens;
    return { default: Math.min(usualMaxTokens[level], max), min: leastMaxTokens, max };
  };
  return param('maxTokens', 'integer', usual, bounds, {
    en: `${description.en} Counted by the embedding model, special tokens included.`,
    zh: `${description.zh}按向量模型计数，含特殊词元。`,
  });
}

function minTokens(limits: ChunkLimits, usual: Level, description: LocalText): ParamDescriptor {
  const bounds = (level: Level): ParamBounds => {
    const max = limits[level].maxTokens;
    return { default: Math.min(usualMinTokens[level], max >> 2), min: 0, max };
  };
  return param('minTokens', 'integer', usual, bounds, {
    en: `${description.en} Not given, it is at most a quarter of maxTokens.`,
    zh: `${description.zh}未填写时不超过 maxTokens 的四分之一。`,
  });
}

function overlapTokens(limits: ChunkLimits, usual: Level): ParamDescriptor {
  const bounds = (level: Level): ParamBounds => ({ default: 0, min: 0, max: limits[level].maxTokens - 1 });
  return param('overlapTokens', 'integer', usual, bounds, {
    en: 'Tokens that a chunk repeats from the end of the one before it, within maxTokens and less than it, and at most as many as are its own. The largest of a level applies to all its chunks. A chunk that begins with a heading repeats nothing.',
    zh: '与前一块末尾重复的词元数，计入并须小于 maxTokens，且不超过该块自身内容；同一级别取最大值。以标题开头的块不重复。',
  });
}
