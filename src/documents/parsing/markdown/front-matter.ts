const opening = /(?:---|\+\+\+)[ \t]*(?:\n|$)/y;
const closings: Readonly<Record<string, RegExp>> = {
  '-': /^---[ \t]*$/gm,
  '+': /^\+\+\+[ \t]*$/gm,
};

/** Where the YAML or TOML that a text begins with ends: behind its closing line, without the line end; 0 for none. */
export function frontMatterEnd(text: string): number {
  opening.lastIndex = 0;
  const closing = opening.test(text) ? closings[text.charAt(0)] : undefined;
  if (!closing) return 0;
  closing.lastIndex = opening.lastIndex;
  return closing.test(text) ? closing.lastIndex : 0;
}
