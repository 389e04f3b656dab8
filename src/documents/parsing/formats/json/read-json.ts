import { AppError } from '../../../../domain/errors.js';

import { corrupt, type ReadLimits } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { writingDecoded } from '../decoded-writing.js';
import { JsonTokens } from './json-tokens.js';
import { isList, isMark, JsonReader, type JsonValue } from './json-value.js';
import { ValueWriter } from './value-writer.js';

const mostNamed = 10;

/**
 * JSON as a person reads it: a list of like objects is a table, what else is in containers is a nested list, and members
 * of the outermost object that are containers have headings. A list is read item by item, never as a whole.
 */
export const readJson = writingDecoded((text, out, limits) => {
  const tokens = new JsonTokens(text);
  const reader = new JsonReader(tokens, limits.depth);
  const first = tokens.next();
  if (isMark(first, '[')) writeAll(reader.items(), out);
  else writeOutermost(reader.value(first), out);
  if (tokens.next().type !== 'end') throw tokens.notJson();
});

/** One value a line. Lines that are none are kept as they are, and listed: one bad line holds up no others. */
export const readJsonLines = writingDecoded((text, out, limits) => {
  const bad: number[] = [];
  const values = new ValueWriter(out);
  let line = 0;
  for (const content of lines(text)) {
    line += 1;
    if (content.trim() === '') continue;
    const value = lineValue(content, limits);
    if (value === undefined) bad.push(line);
    values.add(value ?? content);
  }
  values.end();
  if (bad.length === line && line > 0) throw corrupt('no line of it is JSON');
  if (bad.length === 0) return;
  const named = bad.slice(0, mostNamed).join(', ') + (bad.length > mostNamed ? ', …' : '');
  out.warn('LINES_NOT_JSON', `${bad.length} of ${line} lines are not JSON and were kept as they are (lines ${named}).`);
});

function writeOutermost(value: JsonValue, out: DocumentWriter): void {
  if (typeof value === 'string') return out.paragraph(value);
  const values = new ValueWriter(out);
  if (isList(value)) return writeAll(value, out);
  for (const [name, member] of value.members) if (typeof member === 'string') values.item(name, member, 1);
  for (const [name, member] of value.members) {
    if (typeof member === 'string') continue;
    out.heading(1, name);
    if (isList(member)) writeAll(member, out);
    else for (const [innerName, inner] of member.members) values.item(innerName, inner, 1);
  }
}

function writeAll(items: Iterable<JsonValue>, out: DocumentWriter): void {
  const values = new ValueWriter(out);
  for (const item of items) values.add(item);
  values.end();
}

function lineValue(content: string, { depth }: ReadLimits): JsonValue | undefined {
  const tokens = new JsonTokens(content);
  try {
    const value = new JsonReader(tokens, depth).value(tokens.next());
    return tokens.next().type === 'end' ? value : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}

function* lines(text: string): Generator<string> {
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? text.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}
