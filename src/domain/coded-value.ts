/** A text that is shown to people, in every language the service speaks. */
export interface LocalText {
  readonly en: string;
  readonly zh: string;
}

export type Language = keyof LocalText;

/** Name and description of each code of one status or type. Codes are what logic compares; names and texts are for display. */
export type CodeTable<Code extends number> = Readonly<
  Record<Code, { readonly name: string; readonly text: LocalText }>
>;

/** A code as the API answers it. */
export interface CodedValue {
  readonly code: number;
  readonly name: string;
  readonly description: string;
}

/** Gives the display form of a code. */
export function describe<Code extends number>(table: CodeTable<Code>, code: Code, language: Language): CodedValue {
  const entry = table[code];
  return { code, name: entry.name, description: entry.text[language] };
}

/** The code that a request means, given as code or as name; undefined when the table has neither. */
export function codeOf<Code extends number>(table: CodeTable<Code>, value: string): Code | undefined {
  for (const [key, entry] of Object.entries<{ name: string }>(table)) {
    if (value === key || value === entry.name) return Number(key) as Code;
  }
  return undefined;
}

/** Allowed moves of a status: from each code to the codes it may become. */
export type Moves<Code extends number> = Readonly<Record<Code, readonly Code[]>>;

/** The codes from which `to` may be reached; the list that a guarded UPDATE names in its WHERE. */
export function sourcesOf<Code extends number>(moves: Moves<Code>, to: Code): Code[] {
  return Object.entries<readonly Code[]>(moves)
    .filter(([, targets]) => targets.includes(to))
    .map(([from]) => Number(from) as Code);
}
