import type { MergedRow } from '../../writing/merged-cells.js';
import { cellText } from '../../writing/pieces.js';
import type { HtmlAttributes } from './html-tags.js';
import type { Leave } from './open-elements.js';
import type { PageFlow, PagePiece } from './page-flow.js';

interface OpenCell {
  readonly pieces: readonly PagePiece[];
  readonly columns: number;
  readonly rows: number;
  readonly isHeader: boolean;
}

interface OpenRow {
  readonly cells: OpenCell[];
  readonly isHeader: boolean;
}

interface OpenTable {
  readonly rows: OpenRow[];
  readonly isForLayout: boolean;
  inHead: boolean;
}

/** Tables within tables beyond this are read as what is in them. */
const deepestTable = 8;
/** A cell with so much in several pieces is no value of a table. */
const longestCell = 2_000;
/** As browsers count. */
const mostRows = 65_534;

/** Collects the tables of a page: those with values as tables, those that only place things as what is in them. */
export class PageTables {
  private readonly open: OpenTable[] = [];

  constructor(private readonly flow: PageFlow) {}

  beginTable(attributes: HtmlAttributes): Leave | undefined {
    this.flow.endBlock();
    if (this.open.length === deepestTable) return () => this.flow.endBlock();
    const isForLayout = /^(?:presentation|none)$/i.test(attributes.get('role') ?? '');
    const table: OpenTable = { rows: [], isForLayout, inHead: false };
    this.open.push(table);
    return () => {
      this.flow.endBlock();
      this.open.pop();
      if (isLayout(table)) {
        for (const { cells } of table.rows) for (const { pieces } of cells) this.flow.append(pieces);
      } else this.flow.push({ kind: 'table', rows: table.rows.map(mergedRow) });
    };
  }

  beginHead(): Leave {
    this.flow.endBlock();
    const table = this.open.at(-1);
    if (table) table.inHead = true;
    return () => {
      this.flow.endBlock();
      if (table) table.inHead = false;
    };
  }

  beginRow(): Leave {
    this.flow.endBlock();
    const table = this.open.at(-1);
    table?.rows.push({ cells: [], isHeader: table.inHead });
    return () => this.flow.endBlock();
  }

  beginCell(attributes: HtmlAttributes, isHeader: boolean): Leave {
    const table = this.open.at(-1);
    if (!table) return this.flow.beginBlock();
    if (table.rows.length === 0) table.rows.push({ cells: [], isHeader: table.inHead });
    const row = table.rows.at(-1);
    const columns = span(attributes.get('colspan'));
    const rows = attributes.get('rowspan')?.trim() === '0' ? mostRows : span(attributes.get('rowspan'));
    return this.flow.beginFrame((pieces) => row?.cells.push({ pieces, columns, rows, isHeader }));
  }
}

function span(value: string | undefined): number {
  const number = Number.parseInt(value ?? '', 10);
  return number >= 1 ? Math.min(number, mostRows) : 1;
}

function mergedRow({ cells, isHeader }: OpenRow): MergedRow {
  return {
    cells: cells.map(({ pieces, ...cell }) => ({ ...cell, text: cellText(pieces.map(({ piece }) => piece)) })),
    isHeader,
  };
}

/**
 * A table that only places things: one of a single row or column, or one without names whose cells hold headings,
 * code or whole passages.
 */
function isLayout({ rows, isForLayout }: OpenTable): boolean {
  if (isForLayout) return true;
  const hasNames = rows.some(({ isHeader, cells }) => isHeader || cells.some((cell) => cell.isHeader));
  const filled = rows.filter(({ cells }) => cells.some(({ pieces }) => pieces.length > 0));
  if (filled.length <= 1) return !hasNames || filled.every(isSingle);
  if (hasNames) return false;
  return filled.every(isSingle) || rows.some(({ cells }) => cells.some(isPassage));
}

function isSingle({ cells }: OpenRow): boolean {
  return cells.filter(({ pieces }) => pieces.length > 0).length <= 1;
}

function isPassage({ pieces }: OpenCell): boolean {
  const isLong = pieces.reduce((sum, { piece }) => sum + ('text' in piece ? piece.text.length : 0), 0) > longestCell;
  return (isLong && pieces.length > 2) || pieces.some(({ piece: { kind } }) => kind === 'heading' || kind === 'code');
}
