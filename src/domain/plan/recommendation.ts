import type { LocalText } from '../coded-value.js';

/** What was measured on a parsed document: names to numbers, texts and shares. Plain JSON, shown to people. */
export interface PlanFeatures {
  readonly chars: number;
  /** Tokens of the embedding model, without special tokens. */
  readonly tokens: number;
  readonly headings: number;
  readonly headingDepth: number;
  /** Tokens of the text under one heading, up to the next. */
  readonly sectionTokensMedian: number;
  readonly sectionTokensMax: number;
  readonly paragraphs: number;
  readonly listItems: number;
  readonly tables: number;
  /** Shares are of non-blank code points, 0–1. */
  readonly tableShare: number;
  readonly codeShare: number;
  readonly sentences: number;
  readonly sentenceTokensMedian: number;
  readonly sentenceTokensMax: number;
  /** Share of Han, Kana and Hangul among letters. */
  readonly cjkShare: number;
  /** Share of tokens the embedding model does not know. */
  readonly unknownTokenShare: number;
}

/** One reason for a recommendation, with the numbers that led to it. */
export interface PlanReason {
  readonly code: string;
  readonly text: LocalText;
  readonly evidence: Readonly<Record<string, number | string>>;
}
