const headerLine = /^([\x21-\x39\x3b-\x7e]+):/;
/** Headers that only programs write. */
const technical: ReadonlySet<string> = new Set(
  'received return-path message-id mime-version delivered-to dkim-signature content-transfer-encoding'.split(' '),
);
const usual: ReadonlySet<string> = new Set('from to cc date subject reply-to content-type'.split(' '));

/** Whether a text begins with the headers of a message: several of them, one at least such as no person writes. */
export function startsAsMessage(start: string): boolean {
  const names = new Set<string>();
  const lines = start.replace(/^From .*\r?\n/, '').split(/\r?\n/);
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = headerLine.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) {
      // The part that is looked at may end in the middle of the headers.
      if (line === lines.at(-1)) break;
      return false;
    }
    names.add(name);
  }
  const count = (known: ReadonlySet<string>): number => [...names].filter((name) => known.has(name)).length;
  return count(technical) > 0 && count(usual) > 0 && count(technical) + count(usual) >= 3;
}
