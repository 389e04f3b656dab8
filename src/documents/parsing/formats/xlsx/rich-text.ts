/** Characters that XML cannot hold are written as `_x000D_` in the texts of cells. */
const escaped = /_x([0-9a-f]{4})_/gi;

/** The text of a string of SpreadsheetML. */
export function cellString(written: string): string {
  if (!written.includes('_x')) return written;
  return written.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
