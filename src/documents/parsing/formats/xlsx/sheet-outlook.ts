import type { Readable } from 'node:stream';
import { xmlDecoder } from '../../containers/xml-decoder.js';
import { tooLarge } from '../../read-limits.js';
import { areaOf, type Area } from './cell-reference.js';

/** What stands behind the rows of a sheet, and has to be known before they are read. */
export interface SheetOutlook {
  readonly merged: readonly Area[];
  /** Areas that can be filtered by the names in their first row. */
  readonly filtered: readonly Area[];
}

const wanted = /<(?:[\w.-]+:)?(mergeCell|autoFilter)\s[^<>]*?ref\s*=\s*["']([A-Za-z0-9:$]{2,30})["']/g;
/** Longer than any such element. */
const carriedChars = 300;
const mostAreas = 500_000;

/** Looks through a sheet for it, without reading the cells. @throws AppError TOO_LARGE */
export async function lookAhead(sheet: Readable): Promise<SheetOutlook> {
  const outlook = { merged: [] as Area[], filtered: [] as Area[] };
  const decode = xmlDecoder();
  let carried = '';
  for await (const part of sheet) {
    const text = carried + decode(part as Buffer);
    // The last element may not be complete yet.
    const last = text.lastIndexOf('<');
    const end = last < 0 || text.includes('>', last) ? text.length : last;
    find(text.slice(0, end), outlook);
    carried = text.slice(end, end + carriedChars);
  }
  find(carried + decode(), outlook);
  return outlook;
}

function find(text: string, { merged, filtered }: { readonly merged: Area[]; readonly filtered: Area[] }): void {
  if (!text.includes('mergeCell') && !text.includes('autoFilter')) return;
  for (const [, element, reference = ''] of text.matchAll(wanted)) {
    const area = areaOf(reference);
    if (!area) continue;
    if (merged.length === mostAreas) throw tooLarge('blocks', mostAreas, `${mostAreas} merged cells in one sheet`);
    if (element === 'autoFilter') filtered.push(area);
    else if (area.firstRow !== area.lastRow || area.firstColumn !== area.lastColumn) merged.push(area);
  }
}
