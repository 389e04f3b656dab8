/** A text that every offset counts on, and how many characters were taken out of it. */
export interface NormalisedText {
  readonly text: string;
  readonly removed: number;
}

/** Vertical tabs and form feeds part lines and pages. */
const lineEnds = /\r\n?|[\v\f]/g;
const removable = /[\u0000-\u0008\u000e-\u001f\u007f\ufeff]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu;

/**
 * Gives a decoded text the form that is stored and counted on, once, before any offset exists: every line end is `\n`,
 * and byte order marks, control characters other than tab, lone surrogates and code points that are not characters are
 * gone. All other characters stay as they are, composed or not; U+0085, U+2028 and U+2029 too. Doing it twice changes
 * nothing more.
 */
export function normaliseText(decoded: string): NormalisedText {
  const lines = decoded.replace(lineEnds, '\n');
  const content = lines.startsWith('\ufeff') ? lines.slice(1) : lines;
  let removed = 0;
  const text = content.replace(removable, () => {
    removed += 1;
    return '';
  });
  return { text, removed };
}
