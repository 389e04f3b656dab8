import type { Setting, TextBlock } from '../layout/laid-block.js';
import { raisedNumbers, raisedStart } from '../layout/raised-text.js';

/** A note at the foot of a page. */
export interface Footnote {
  readonly label: string;
  readonly text: string;
}

const smaller = 0.95;
const plainLabel = /^(\d{1,3}(?!\d)|[*†‡§¶]{1,3})\s*(?=\S)/;

/** A text as a note, if it stands at the foot, in small letters, behind a number or sign. */
export function footnoteOf({ isAtFoot, isMono, size, text, mark }: TextBlock, body: Setting): Footnote | undefined {
  if (!isAtFoot || isMono || size >= smaller * body.size) return undefined;
  if (mark) return mark.mark === '*' ? { label: '*', text } : undefined;
  const raised = raisedStart.exec(text);
  if (raised) return { label: raised[1] ?? '', text: text.slice(raised[0].length) };
  const plain = plainLabel.exec(text);
  return plain ? { label: plain[1] ?? '', text: text.slice(plain[0].length) } : undefined;
}

/** A text whose raised numbers refer to the notes that there are; of others a `^` keeps them from what is before. */
export function withReferences(text: string, labels: ReadonlySet<string> = new Set()): string {
  return text.replace(raisedNumbers, (_, numbers: string, at: number) => {
    const parts = numbers.split(',');
    if (parts.every((label) => labels.has(label))) return parts.map((label) => `[^${label}]`).join('');
    return at === 0 ? `${numbers} ` : `^${numbers}`;
  });
}
