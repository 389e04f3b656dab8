import type { Chunk } from '../../domain/text/chunk.js';

/** What embedding costs here, as stated or measured by whoever configures it. */
export interface EmbeddingPace {
  /** Tokens that all processes together embed in a second. */
  readonly tokensPerSecond: number;
  /** Texts in one call; 1 for a local model, which takes them one by one. */
  readonly textsPerCall: number;
  /** Absent where embedding costs nothing. */
  readonly usdPerMillionTokens?: number;
}

/** What embedding the children of a plan would take at most: texts that are cached already cost nothing. */
export interface EmbeddingEstimate {
  readonly embedTokens: number;
  readonly embedCalls: number;
  readonly costUsd?: number;
  /** Rounded to tenths. */
  readonly seconds: number;
}

/**
 * Tokens per second and process of the bundled model, one text a run on one core: 10,100 of a mix of 14 to 202 tokens
 * a text, measured on an x86-64 core with VNNI.
 */
const tokensPerProcess = 10_000;

/** The pace of a local model that runs in so many processes. */
export function localPace(processes: number): EmbeddingPace {
  return { tokensPerSecond: tokensPerProcess * processes, textsPerCall: 1 };
}

/** Equal texts are embedded once. */
export function estimateEmbedding(children: readonly Chunk[], pace: EmbeddingPace): EmbeddingEstimate {
  const distinct = new Map(children.map((child) => [child.text, child.tokens]));
  const embedTokens = [...distinct.values()].reduce((sum, tokens) => sum + tokens, 0);
  return {
    embedTokens,
    embedCalls: Math.ceil(distinct.size / pace.textsPerCall),
    ...(pace.usdPerMillionTokens === undefined
      ? {}
      : { costUsd: Math.round(embedTokens * pace.usdPerMillionTokens) / 1_000_000 }),
    seconds: Math.ceil((embedTokens / pace.tokensPerSecond) * 10) / 10,
  };
}
