const space = 32;
const firstUncommon = 0x85;
const uncommonSpace = /\s/;

/** True for white space as a pattern's `\s` means it, without a string for each character of ASCII. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < firstUncommon) return code === space || (code >= 9 && code <= 13);
  return uncommonSpace.test(text.charAt(at));
}

/** True for a stretch of nothing but white space. */
export function isBlankBetween(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isSpaceAt(text, at)) return false;
  return true;
}
