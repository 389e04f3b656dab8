const bare = /^[-–—·|\s\[(]*(\d{1,5}|[ivxlc]{1,7})[-–—·|\s\])]*$/i;
const worded =
  /^(?:page|pag\.?|p\.|seite|página|pagina|стр\.?|第)\s*(\d{1,5})\s*(?:页|頁|ページ|쪽)?(?:\s*(?:of|von|de|di|sur|из|\/|共)?\s*\d{1,5}\s*(?:页|頁)?)?$/i;
const ofTotal = /^(\d{1,5})\s*(?:\/|of|von|de)\s*\d{1,5}$/i;
const digits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** The number of a page, if a text is nothing else: `12`, `- 12 -`, `xii`, `Page 12 of 20`, `第12页`. */
export function pageNumberIn(text: string): number | undefined {
  const found = (bare.exec(text) ?? worded.exec(text) ?? ofTotal.exec(text))?.[1];
  if (found === undefined) return undefined;
  if (/\d/.test(found)) return Number(found);
  const values = [...found.toLowerCase()].map((digit) => digits[digit] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

/** A text with `#` for each number, and without differences of case and spaces. */
export function maskedText(text: string): string {
  return text.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, '');
}
