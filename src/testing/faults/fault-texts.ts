const sections = 6;

/**
 * A small text of several chunks. `copy` makes files of the same text that are no duplicates: blanks at the end are in
 * no chunk.
 */
export function faultText(copy = 0): string {
  const parts = Array.from(
    { length: sections },
    (_, i) => `## Lock ${i + 1}\n\n${paragraph(i)}\n\n${paragraph(i + 10)}`,
  );
  return `# The locks of the canal\n\n${parts.join('\n\n')}\n${'\n'.repeat(copy)}`;
}

function paragraph(n: number): string {
  return Array.from(
    { length: 8 },
    (_, i) => `The keeper of lock ${n} raises gate ${i} when the water stands at ${n * 10 + i} inches below the mark.`,
  ).join(' ');
}
