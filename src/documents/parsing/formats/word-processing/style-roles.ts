/** What paragraphs of a style are. */
export type StyleRole =
  | { readonly type: 'heading' | 'contents'; readonly level: number }
  | { readonly type: 'quote' | 'code' | 'caption' | 'text' };

/** Word keeps the English names of its styles in every language; other programs may write their own. */
const headingName =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|заголовок|标题|標題|見出し|제목)\s*([1-9])$/i;
const contentsName = /^(?:toc|contents|verzeichnis|inhaltsverzeichnis)\s*([1-9])$/i;

const roles: readonly (readonly [name: RegExp, role: StyleRole])[] = [
  [/^title$/i, { type: 'heading', level: 1 }],
  [/^(?:intense\s*)?quote$|^block\s*text$|^quotations?$/i, { type: 'quote' }],
  [
    /^(?:html\s*preformatted|preformatted\s*text|(?:source\s*)?code(?:[\s-]*block)?|macro|verbatim|listing)$/i,
    { type: 'code' },
  ],
  [/^(?:(?:figure|image|table)\s*)?caption$/i, { type: 'caption' }],
  [/^table\s*of\s*(?:figures|authorities)$/i, { type: 'contents', level: 1 }],
];

/** What a style is for by its name; undefined if the name does not tell. */
export function roleByName(name: string): StyleRole | undefined {
  const words = name.trim();
  const heading = headingName.exec(words);
  if (heading) return { type: 'heading', level: Number(heading[1]) };
  const contents = contentsName.exec(words);
  if (contents) return { type: 'contents', level: Number(contents[1]) };
  return roles.find(([pattern]) => pattern.test(words))?.[1];
}
