const unset = 0;
const none = 1;
const letter = 2;
const cjk = 3;
const kinds = new Uint8Array(0x10000);
const kindsBeyond = new Map<number, number>();
const anyLetter = /^\p{L}$/u;
const cjkLetter = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]$/u;

/** Letters of a text, and how many of them are Chinese, Japanese or Korean. */
export function countLetters(text: string): { all: number; cjk: number } {
  let all = 0;
  let ideographs = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    let kind = kinds[code] ?? unset;
    if (kind === unset)
      kind = code >= 0xd800 && code <= 0xdbff ? kindBeyond(text.codePointAt(unit) ?? 0) : kindOf(code);
    if (kind >= letter) all += 1;
    if (kind === cjk) ideographs += 1;
  }
  return { all, cjk: ideographs };
}

function kindOf(code: number): number {
  const kind = classify(code);
  kinds[code] = kind;
  return kind;
}

function kindBeyond(codePoint: number): number {
  const known = kindsBeyond.get(codePoint) ?? classify(codePoint);
  kindsBeyond.set(codePoint, known);
  return known;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (!anyLetter.test(character)) return none;
  return cjkLetter.test(character) ? cjk : letter;
}
