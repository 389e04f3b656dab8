/** Columns of a sheet. */
export const mostColumns = 16_384;
export const mostRows = 1_048_576;

/** Some cells that form a rectangle. Rows count from 1, columns from 0. */
export interface Area {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** The column of a cell such as `AB12`, from 0; -1 if it is none. */
export function columnOf(reference: string): number {
  let column = 0;
  let i = 0;
  for (; i < reference.length; i += 1) {
    const code = reference.charCodeAt(i) & ~0x20;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
    if (column > mostColumns) return -1;
  }
  return column - 1;
}

/** An area such as `A1:C3` or `$B$2`; undefined if it is none. */
export function areaOf(reference: string): Area | undefined {
  const found = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/i.exec(reference.replaceAll('$', ''));
  if (!found) return undefined;
  const [, firstColumn = '', firstRow = '', lastColumn = firstColumn, lastRow = firstRow] = found;
  const columns = [columnOf(firstColumn), columnOf(lastColumn)].sort((a, b) => a - b);
  const rows = [Number(firstRow), Number(lastRow)].sort((a, b) => a - b);
  if ((columns[0] ?? -1) < 0 || (rows[1] ?? 0) > mostRows) return undefined;
  return { firstRow: rows[0] ?? 0, lastRow: rows[1] ?? 0, firstColumn: columns[0] ?? 0, lastColumn: columns[1] ?? 0 };
}
