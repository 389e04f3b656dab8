/** Marks at the start of a line that would make something else of a paragraph: a heading, fence, quote, rule or table. */
const misread = /^(?:#{1,6}(?=\s|$)|`{3}|~{3}|>|\||=+\s*$|-+\s*$|(?:[*_-]\s*){3,}$|<(?=[a-z!/?]))/i;

/** One line of text, whatever white space was in it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * The lines of a text as Markdown that reads as a paragraph: without blank lines and indentation, and with a backslash
 * before what would read as another kind of block. Marks of lists stay: they mean what they look like.
 */
export function proseLines(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => (misread.test(line) ? `\\${line}` : line));
}

/** A cell of a GFM table: one line, no bare pipe. */
export function tableCell(text: string): string {
  return oneLine(text).replaceAll('\\|', '|').replaceAll('|', '\\|');
}

/** A fence that no line of the code can close. */
export function fenceFor(code: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}
