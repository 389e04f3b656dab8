/** Letters of symbol fonts that stand for bullets and ticks; what else such fonts hold is not text. */
const symbols: ReadonlyMap<string, string> = new Map([
  ['\uf0b7', '•'],
  ['\uf0a7', '▪'],
  ['\uf0a8', '▫'],
  ['\uf0d8', '➢'],
  ['\uf0e0', '→'],
  ['\uf0fc', '✓'],
  ['\uf076', '❖'],
  ['\uf06c', '●'],
  ['\uf06e', '■'],
  ['\uf06f', '□'],
  ['\uf071', '❑'],
]);

/** Ligatures, letters of Hebrew and Arabic in the shape that they have beside others, signs of vertical lines. */
const presentationForms = /[\ufb00-\ufb4f\ufb50-\ufdfb\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufefc]/;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Joiners say how letters connect; other characters of this kind say nothing that is seen. */
const unseen = /(?![\u200c\u200d\u00ad])\p{Cf}|\p{Variation_Selector}/gu;
const meaningless = /\p{Co}|\p{Cc}|\p{Cs}|\p{Cn}|\ufffd/u;

const known = new Map<string, string | undefined>();
/** Enough for all characters of a few large fonts. */
const mostKnown = 50_000;

/**
 * What a glyph says, as a piece of text in the order that is seen: a blank for white space, nothing for marks that are
 * not seen, letters instead of ligatures; undefined if nobody can tell.
 */
export function glyphText(unicode: string): string | undefined {
  if (known.has(unicode)) return known.get(unicode);
  const text = translate(unicode);
  if (known.size < mostKnown) known.set(unicode, text);
  return text;
}

function translate(unicode: string): string | undefined {
  if (/^\s+$/u.test(unicode)) return ' ';
  const symbol = symbols.get(unicode);
  if (symbol !== undefined) return symbol;
  const plain = presentationForms.test(unicode) ? unicode.normalize('NFKC') : unicode;
  // A soft hyphen that was painted is a hyphen.
  const seen = plain.replace(unseen, '').replaceAll('\u00ad', '-').replace(/\s+/gu, ' ');
  if (unicode === '' || meaningless.test(seen)) return undefined;
  return seen.length > 1 && rightToLeft.test(seen) ? [...seen].reverse().join('') : seen;
}
