/** What part of a list is asked for. */
export interface PageRequest {
  /** Most items to give, at least 1. */
  readonly limit: number;
  /** Key of the last item of the page before (an id or an ordinal, in decimal); absent for the first page. */
  readonly after?: string;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Key to ask for the next page with, or null at the end. */
  readonly next: string | null;
}

/** Makes a page of rows that were read with one more than the limit. */
export function pageOf<T>(rows: readonly T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
