/**
 * Turns text into search terms, separated by single spaces, for PostgreSQL's `to_tsvector('english', …)`. The same is done to
 * what is stored and to what is asked; `version` changes whenever the same text would give other terms.
 */
export interface Segmenter {
  readonly version: number;
  segment(text: string): string;
}
