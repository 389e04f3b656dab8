import type { DocumentWriter } from '../../writing/document-writer.js';
import { headerSampleRows } from '../../writing/table-header.js';
import { TableWriter } from '../../writing/table-writer.js';
import { isList, type JsonObject, type JsonValue } from './json-value.js';

/** Writes the values of a list: objects without lists and objects in them as rows of a table, all others as list items. */
export class ValueWriter {
  private readonly waiting: JsonObject[] = [];
  private table: { readonly names: ReadonlySet<string>; readonly rows: TableWriter } | undefined;

  constructor(private readonly out: DocumentWriter) {}

  add(value: JsonValue): void {
    if (!isFlat(value)) {
      this.end();
      this.item('', value, 1);
    } else if (this.table && !fits(value, this.table.names)) {
      this.end();
      this.waiting.push(value);
    } else if (this.table) this.table.rows.row(cellsOf(value, this.table.names));
    else {
      this.waiting.push(value);
      if (this.waiting.length === headerSampleRows) this.beginTable();
    }
  }

  /** Writes what still waits. */
  end(): void {
    if (this.waiting.length > 0) this.beginTable();
    this.table?.rows.end();
    this.table = undefined;
  }

  /** A value as items of a list, each member one deeper than what holds it. */
  item(name: string, value: JsonValue, depth: number): void {
    const label = name === '' ? '' : `${name}: `;
    if (typeof value === 'string') return this.out.listItem(`${label}${value}`, { depth });
    const inner = isList(value) ? value.map((item) => ['', item] as const) : value.members;
    if (inner.length === 0) return this.out.listItem(`${label}${isList(value) ? '[]' : '{}'}`, { depth });
    // Scalars in a list read best beside each other.
    if (isList(value) && value.every(isShort)) return this.out.listItem(label + value.join(', '), { depth });
    this.out.listItem(label.trimEnd() || '·', { depth });
    for (const [innerName, innerValue] of inner) this.item(innerName, innerValue, depth + 1);
  }

  private beginTable(): void {
    const objects = this.waiting.splice(0);
    const names = new Set(objects.flatMap(({ members }) => members.map(([name]) => name)));
    const rows = new TableWriter(this.out, 'first');
    rows.row([...names]);
    this.table = { names, rows };
    for (const object of objects) rows.row(cellsOf(object, names));
  }
}

const longestBeside = 80;

function isShort(value: JsonValue): value is string {
  return typeof value === 'string' && value.length <= longestBeside && !value.includes('\n');
}

function isFlat(value: JsonValue): value is JsonObject {
  if (typeof value === 'string' || isList(value) || value.members.length === 0) return false;
  const names = new Set(value.members.map(([name]) => name));
  return names.size === value.members.length && value.members.every(([, member]) => typeof member === 'string');
}

function fits({ members }: JsonObject, names: ReadonlySet<string>): boolean {
  return members.every(([name]) => names.has(name));
}

function cellsOf({ members }: JsonObject, names: ReadonlySet<string>): string[] {
  const values = new Map(members as readonly (readonly [string, string])[]);
  return [...names].map((name) => values.get(name) ?? '');
}
