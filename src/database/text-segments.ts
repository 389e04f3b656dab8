/** A stretch of a text; offsets count its code points. */
export interface TextSegment {
  readonly charStart: number;
  readonly charEnd: number;
  readonly content: string;
}

/** Cuts a text into stretches of `size` code points, the last one shorter. None for an empty text. */
export function textSegments(text: string, size: number): TextSegment[] {
  const segments: TextSegment[] = [];
  let unitStart = 0;
  let charStart = 0;
  let chars = 0;
  for (let unit = 0; unit < text.length;) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    chars += 1;
    if (chars - charStart < size && unit < text.length) continue;
    segments.push({ charStart, charEnd: chars, content: text.slice(unitStart, unit) });
    unitStart = unit;
    charStart = chars;
  }
  return segments;
}
