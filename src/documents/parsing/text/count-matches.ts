/** How often a pattern with the flag `g` occurs, without keeping the occurrences. */
export function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count += 1;
  return count;
}
