/** Kinds of structural pieces of a parsed text. A plain name in the API. */
export const blockTypes = [
  'heading',
  'paragraph',
  'listItem',
  'table',
  'code',
  'quote',
  'frontMatter',
  'html',
  'thematicBreak',
  'pageBreak',
  'footnote',
  'caption',
] as const;
export type BlockType = (typeof blockTypes)[number];

/**
 * One structural piece of a parsed text. Offsets count code points of that text, half open. Blocks stand in the order
 * of their starts and do not overlap; what lies between them is blank or markup that belongs to no piece. A page break
 * is a place: it has no text.
 */
export interface Block {
  readonly type: BlockType;
  /** Heading level 1–6, or nesting depth of a list item from 1. */
  readonly depth?: number;
  readonly charStart: number;
  readonly charEnd: number;
  /** Page, slide or sheet number from 1, where the format has them. */
  readonly page?: number;
}

/** What parsing adds for people to know. */
export interface ParseWarning {
  readonly code: string;
  readonly message: string;
}

/** The outcome of reading one source. */
export interface ParsedText {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly warnings: readonly ParseWarning[];
  /** Name of the encoding the bytes were read as, for example `utf-8` or `gb18030`; absent where the format says it itself. */
  readonly encoding?: string;
  /** 0–1; 1 where a byte order mark or strict decoding proves it. */
  readonly encodingConfidence?: number;
  readonly mediaType: string;
  /** ISO 639-1 code of the main language, where it can be told. */
  readonly language?: string;
}

/** Raised whenever a change makes parsing give another text or other blocks for the same bytes. */
export const parserVersion = 1;
/** Raised whenever a change makes normalisation give another text. */
export const normaliserVersion = 1;
