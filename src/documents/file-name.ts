/** Left-to-right and right-to-left marks, embeddings, overrides and isolates: they can make a name read as another. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** C0 and C1 control characters and DEL, by property: they have no place in a name. */
const controls = /\p{Cc}/gu;

/** What a person called a file: path parts, control and bidi-control characters taken out, the rest kept as it is. */
export function cleanFileName(given: string): string {
  const name = given.replace(controls, '').replace(bidiControls, '').split(/[/\\]/).at(-1)?.trim();
  return name && name !== '.' && name !== '..' ? name : 'untitled';
}
