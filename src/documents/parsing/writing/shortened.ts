/** Characters of what is quoted in a message. */
export const longestSample = 60;

/** The beginning of a text, for a message. */
export function shortened(line: string): string {
  const points = [...line.slice(0, 2 * longestSample + 2)];
  return points.length > longestSample ? `${points.slice(0, longestSample).join('')}…` : line;
}
