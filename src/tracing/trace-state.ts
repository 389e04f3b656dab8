/** https://www.w3.org/TR/trace-context/#tracestate-header-field-values */
const key = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const mostMembers = 32;
/** What is passed on at least, by the specification, and here at most. */
const longest = 512;
/** Members that are longer go first where not all can stay. */
const longMember = 128;

/** The list as it is passed on; undefined where there is none, or where any of it is not as the specification has it. */
export function readTraceState(header: string): string | undefined {
  const members = header
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter(Boolean);
  const keys = new Set(members.map(keyOf));
  const isValid = members.every(isMember) && keys.size === members.length && members.length <= mostMembers;
  return isValid && members.length > 0 ? shortened(members) : undefined;
}

/** Leaves out whole members: the long ones, then those at the end, which were there first. */
function shortened(members: readonly string[]): string | undefined {
  const kept = lengthOf(members) <= longest ? [...members] : members.filter(({ length }) => length <= longMember);
  while (lengthOf(kept) > longest) kept.pop();
  return kept.length > 0 ? kept.join(',') : undefined;
}

function lengthOf(members: readonly string[]): number {
  return members.join(',').length;
}

function isMember(member: string): boolean {
  return member.includes('=') && key.test(keyOf(member)) && value.test(member.slice(member.indexOf('=') + 1));
}

function keyOf(member: string): string {
  return member.split('=', 1)[0] ?? '';
}
