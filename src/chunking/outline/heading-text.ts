/** Longest heading in a path; a heading over it is cut. Code points. */
const longestHeading = 200;

/** Most headings: words without any marks, and not long. */
const plainHeading = /^#{1,6} ([^\s#*_`[\]]+(?: [^\s#*_`[\]\p{Cc}]+){0,9})$/u;

/** A heading as people read it: without its marks, on one line. */
export function headingText(markdown: string): string {
  const plain = plainHeading.exec(markdown)?.[1];
  if (plain !== undefined) return plain;
  const line = markdown
    .replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '')
    .replace(/^[ \t]*#{1,6}(?=\s|$)/, '')
    .replace(/(^|[ \t])#+[ \t]*$/, '')
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|`)(\S(?:[^*_`\n]*\S)?)\1/g, '$2')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const points = Array.from(line.slice(0, 2 * longestHeading + 2));
  return points.length > longestHeading ? `${points.slice(0, longestHeading - 1).join('')}…` : line;
}
