/** UTF-16 units that are looked at on each side of a cut: the segmenter is quadratic in the length of its input. */
const window = 96;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The last place at or before `at` that splits nothing that people see as one character. Where there is none near by,
 * the nearest that splits no surrogate pair.
 */
export function safeCut(text: string, at: number): number {
  const from = wholeFrom(text, Math.max(0, at - window));
  const near = text.slice(from, at + window);
  let cut = from;
  for (const { index } of graphemes.segment(near)) {
    if (from + index > at) break;
    cut = from + index;
  }
  return cut > from ? cut : wholeFrom(text, at);
}

function wholeFrom(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
