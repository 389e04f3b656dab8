import type { Piece } from '../../writing/pieces.js';

const quoteMarks = /^(?:>[ \t]?)+/;
const deepest = 20;

/** The paragraphs of a body without markup; lines that begin with `>` are what others wrote before. */
export function plainBody(text: string): Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let quote = 0;
  const endParagraph = (): void => {
    if (lines.length > 0) pieces.push({ kind: 'paragraph', text: lines.join('\n'), quote });
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const marks = quoteMarks.exec(line)?.[0] ?? '';
    const depth = Math.min(marks.replace(/[^>]/g, '').length, deepest);
    const words = line.slice(marks.length);
    if (depth !== quote || words.trim() === '') endParagraph();
    quote = depth;
    if (words.trim() !== '') lines.push(words);
  }
  endParagraph();
  return pieces;
}
