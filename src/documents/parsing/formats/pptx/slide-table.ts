import { childrenOf, type XmlElement } from '../../containers/xml-tree.js';
import type { MergedCell, MergedRow } from '../../writing/merged-cells.js';
import type { Piece } from '../../writing/pieces.js';
import { bodyText } from '../ooxml/text-body.js';
import { isOn, wholeNumber } from '../ooxml/values.js';

/** A table of a slide. Cells that others cover are written there, and left out here. */
export function tablePiece(table: XmlElement): Piece {
  const [properties] = childrenOf(table, 'a:tblPr');
  const { firstRow } = properties?.attributes ?? {};
  const rows = childrenOf(table, 'a:tr');
  const marksFirst = firstRow !== undefined && isOn(firstRow) && rows.length > 1;
  return {
    kind: 'table',
    rows: rows.map((row, i): MergedRow => ({ cells: ownCells(row), isHeader: marksFirst && i === 0 })),
  };
}

function ownCells(row: XmlElement): MergedCell[] {
  return childrenOf(row, 'a:tc').flatMap((cell) => {
    const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
    if ((hMerge !== undefined && isOn(hMerge)) || (vMerge !== undefined && isOn(vMerge))) return [];
    return [{ text: bodyText(cell), columns: wholeNumber(gridSpan) ?? 1, rows: wholeNumber(rowSpan) ?? 1 }];
  });
}
