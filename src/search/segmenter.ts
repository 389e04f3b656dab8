/**
 * Turns text into search terms, separated by single spaces, for PostgreSQL's `to_tsvector('english', …)`. `version` changes
 * whenever the same text would give other terms.
 *
 * What holds for every text and every part of it that is whole words or begins and ends anywhere in Chinese: at least one
 * term of `segmentQuery(part)` is among those of `segment(text)`.
 */
export interface Segmenter {
  readonly version: number;
  /** All terms that a stored text can be found by. */
  segment(text: string): string;
  /** The terms to look for, any of which may match: cut in the same way, but without those that would match nearly everything. */
  segmentQuery(query: string): string;
}
