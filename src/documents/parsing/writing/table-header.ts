/** Rows that are looked at to tell whether the first one names the columns. */
export const headerSampleRows = 20;

const value = /^[\s($€£¥₹+-]*\d[\d\s.,:/%)$€£¥₹eE+-]*$/u;
const longestName = 100;

/**
 * Whether the first row of a table that does not say so itself names the columns: each of its cells holds a word, none
 * twice, none is a number or date, and there are rows below it.
 */
export function firstRowIsHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...below] = rows;
  const names = first.map((cell) => cell.trim());
  const widest = Math.max(0, ...below.map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1));
  if (below.length === 0 || names.length === 0 || names.length < widest) return false;
  if (names.some((name) => name === '' || name.length > longestName || value.test(name))) return false;
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}
