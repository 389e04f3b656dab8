import type { MergedCell, MergedRow } from '../../writing/merged-cells.js';
import { cellText } from '../../writing/pieces.js';
import { isLayout } from '../word-processing/layout-table.js';
import { KeptPieces, type PieceTarget } from '../word-processing/piece-target.js';

/** A cell as the definition of its row describes it. */
export interface CellDefinition {
  /** Where it ends, in twentieths of a point. */
  readonly right: number;
  /** It goes on from the cell above, or from the one before it. */
  readonly continues: 'above' | 'before' | undefined;
}

export interface RowDefinition {
  readonly left: number;
  readonly isHeader: boolean;
  readonly cells: readonly CellDefinition[];
}

interface RtfRow {
  readonly isHeader: boolean;
  readonly definition: RowDefinition;
  readonly cells: readonly { readonly content: KeptPieces }[];
}

type OwnCell = { -readonly [Key in keyof MergedCell]: MergedCell[Key] } & { rows: number };

/** Edges that are no further from each other are one, drawn by a shaky hand. */
const tolerance = 40;
const page = 1;

/** A table while it is read. */
export class RtfTable {
  cell = new KeptPieces();
  private cells: { readonly content: KeptPieces }[] = [];
  private readonly rows: RtfRow[] = [];

  endCell(): void {
    this.cells.push({ content: this.cell });
    this.cell = new KeptPieces();
  }

  endRow(definition: RowDefinition): void {
    if (this.cell.pieces.length > 0) this.endCell();
    if (this.cells.length > 0) this.rows.push({ isHeader: definition.isHeader, definition, cells: this.cells });
    this.cells = [];
  }

  giveTo(target: PieceTarget): void {
    this.endRow({ left: 0, isHeader: false, cells: [] });
    if (isLayout(this.rows)) {
      for (const { content } of this.rows.flatMap(({ cells }) => cells)) content.giveTo(target);
    } else target.push({ kind: 'table', rows: mergedRows(this.rows) }, page);
  }
}

/** Cells are as wide as the columns that other rows have between their edges. */
function mergedRows(rows: readonly RtfRow[]): MergedRow[] {
  const edges = edgesOf(rows);
  let above = new Map<number, OwnCell>();
  return rows.map(({ cells, definition, isHeader }) => {
    const placed = new Map<number, OwnCell>();
    const own: OwnCell[] = [];
    const first = columnAt(edges, definition.left);
    if (first > 0) own.push({ text: '', columns: first, rows: 1 });
    let column = first;
    for (const [i, { content }] of cells.entries()) {
      const { right, continues } = definition.cells[i] ?? { right: undefined, continues: undefined };
      const end = right === undefined ? column + 1 : Math.max(columnAt(edges, right), column + 1);
      const text = cellText(content.pieces);
      const from = continues === 'above' ? above.get(column) : undefined;
      const before = continues === 'before' ? own.at(-1) : undefined;
      if (from) {
        from.rows += 1;
        placed.set(column, from);
        addText(from, text);
      } else if (before) {
        before.columns = (before.columns ?? 1) + end - column;
        addText(before, text);
      } else {
        const cell = { text, columns: end - column, rows: 1 };
        own.push(cell);
        placed.set(column, cell);
      }
      column = end;
    }
    above = placed;
    return { cells: own, isHeader };
  });
}

/** Cells that only go on are empty; if one is not, its text is not lost. */
function addText(cell: OwnCell, text: string): void {
  if (text !== '') cell.text = cell.text === '' ? text : `${cell.text}\n${text}`;
}

/** Left edges of all columns of a table, and the right one of the last. */
function edgesOf(rows: readonly RtfRow[]): number[] {
  const all = new Set(
    rows.flatMap(({ definition }) => [definition.left, ...definition.cells.map(({ right }) => right)]),
  );
  const edges: number[] = [];
  for (const edge of [...all].sort((a, b) => a - b)) {
    if (edges.length === 0 || edge - (edges.at(-1) ?? 0) > tolerance) edges.push(edge);
  }
  return edges;
}

/** The number of the last edge that is not beyond a place. */
function columnAt(edges: readonly number[], place: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}
