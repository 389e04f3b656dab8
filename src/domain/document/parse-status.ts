import type { CodeTable, Moves } from '../coded-value.js';

/** How far the newest source of a document is understood. */
export const ParseStatus = {
  /** Stored; its parse task waits for a worker. */
  WaitParse: 1,
  /** A worker reads it. */
  Parsing: 2,
  /** Its text, blocks and recommended plan exist. */
  ParseSuccess: 3,
  /** It could not be read; the document's error says why and what to do. */
  ParseFailed: 4,
} as const;
export type ParseStatus = (typeof ParseStatus)[keyof typeof ParseStatus];

export const parseStatusTable: CodeTable<ParseStatus> = {
  1: { name: 'WAIT_PARSE', text: { en: 'Waiting to be parsed', zh: '等待解析' } },
  2: { name: 'PARSING', text: { en: 'Parsing', zh: '解析中' } },
  3: { name: 'PARSE_SUCCESS', text: { en: 'Parsed', zh: '解析成功' } },
  4: { name: 'PARSE_FAILED', text: { en: 'Parsing failed', zh: '解析失败' } },
};

/** A new source or a new parse leads back to WAIT_PARSE from any end. */
export const parseStatusMoves: Moves<ParseStatus> = {
  1: [ParseStatus.Parsing, ParseStatus.ParseFailed],
  2: [ParseStatus.ParseSuccess, ParseStatus.ParseFailed, ParseStatus.WaitParse],
  3: [ParseStatus.WaitParse],
  4: [ParseStatus.WaitParse],
};
