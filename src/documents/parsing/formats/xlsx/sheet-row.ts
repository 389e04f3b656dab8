/** Columns from the first to the last that show the text of a merged cell. */
export interface Fill {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** A row of a sheet: the cells that hold something, and what merged cells show in it. */
export interface SheetRow {
  /** From 1. */
  readonly number: number;
  /** Of its own cells, from 0, in order. */
  readonly columns: readonly number[];
  readonly texts: readonly string[];
  readonly fills: readonly Fill[];
}

/** The texts of the columns from the first to the last. */
export function textsBetween({ columns, texts, fills }: SheetRow, first: number, last: number): string[] {
  const between = Array.from({ length: last - first + 1 }, () => '');
  for (const fill of fills) {
    for (let at = Math.max(fill.first, first); at <= Math.min(fill.last, last); at += 1)
      between[at - first] = fill.text;
  }
  columns.forEach((column, i) => {
    if (column >= first && column <= last) between[column - first] = texts[i] ?? '';
  });
  return between;
}
