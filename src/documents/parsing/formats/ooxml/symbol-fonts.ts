/** Characters of the font Symbol by code, from the space and from 0xa0 on. */
const symbolLow = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const symbolHigh =
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\uf8ff〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

const wingdings = codes({
  0x20: ' ',
  0x28: '☎',
  0x2a: '✉',
  0x3f: '✍',
  0x41: '✌',
  0x43: '👍',
  0x44: '👎',
  0x45: '☜',
  0x46: '☞',
  0x47: '☝',
  0x48: '☟',
  0x4a: '☺',
  0x4c: '☹',
  0x4e: '☠',
  0x52: '☼',
  0x54: '❄',
  0x5b: '☯',
  0x6c: '●',
  0x6d: '❍',
  0x6e: '■',
  0x6f: '□',
  0x70: '□',
  0x71: '❑',
  0x72: '❒',
  0x73: '⬧',
  0x74: '⧫',
  0x75: '◆',
  0x76: '❖',
  0x77: '⬥',
  0x78: '☒',
  0x80: '⓪',
  0x81: '①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
  0x9e: '·',
  0x9f: '•',
  0xa0: '▪',
  0xa1: '○',
  0xa4: '◉',
  0xa7: '▪',
  0xa8: '□',
  0xaa: '✦',
  0xab: '★',
  0xd8: '➢',
  0xdc: '➲',
  0xdf: '←→↑↓',
  0xe8: '➔',
  0xef: '⇦⇨⇧⇩',
  0xfb: '✗✓☒☑',
});
const wingdings2 = codes({ 0x4f: '✗✓☒☑☒☒', 0x97: '●', 0xa3: '□' });
const wingdings3 = codes({ 0x67: '⯇⯈⯅⯆', 0x7d: '⯈', 0x84: '⯈' });
const webdings = codes({ 0x61: '✓', 0x72: '✗', 0x34: '⏵', 0x6e: '●' });

const fonts: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  ['symbol', codes({ 0x20: symbolLow, 0xa0: symbolHigh })],
  ['wingdings', wingdings],
  ['wingdings 2', wingdings2],
  ['wingdings 3', wingdings3],
  ['webdings', webdings],
]);

/** Office shows the codes of such fonts here, too. */
const privateStart = 0xf000;

export function isSymbolFont(font: string): boolean {
  return fonts.has(font.toLowerCase());
}

/** The character that a font of symbols has for a code; undefined where that is not known. */
export function symbolOf(font: string, code: number): string | undefined {
  const isPrivate = code >= privateStart && code <= privateStart + 0xff;
  const table = fonts.get(font.toLowerCase());
  if (!table) return isPrivate || code > 0x10ffff ? undefined : String.fromCodePoint(code);
  if (!isPrivate && code > 0xff) return String.fromCodePoint(Math.min(code, 0x10ffff));
  return table.get(isPrivate ? code - privateStart : code);
}

/** Each string holds the characters from its code on. */
function codes(from: Readonly<Record<number, string>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(from).flatMap(([start, characters]) =>
      [...characters].map((character, i) => [Number(start) + i, character] as const),
    ),
  );
}
