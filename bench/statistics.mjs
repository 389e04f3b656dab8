/** The value below which the share `p` (0–1) of the numbers lies. */
export function percentile(numbers, p) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))];
}

export const median = (numbers) => percentile(numbers, 0.5);

/** Prints rows as a Markdown table. */
export function table(head, rows) {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
