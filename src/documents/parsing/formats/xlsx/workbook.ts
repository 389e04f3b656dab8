import { elementIn, elementsIn } from '../../containers/xml-tree.js';
import type { Omissions } from '../../writing/omissions.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { Relations } from '../ooxml/relations.js';
import { isOn } from '../ooxml/values.js';

/** A tab of a workbook. */
export interface Sheet {
  readonly name: string;
  /** Its place among the tabs, from 1. */
  readonly number: number;
  readonly part: string;
  /** Of its relation: `worksheet`, `chartsheet` and others. */
  readonly kind: string;
  readonly isHidden: boolean;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Its dates count from 1904, as those of old Macs do. */
  readonly countsFrom1904: boolean;
}

/** What a workbook says of itself and its sheets, in the order of the tabs. */
export async function readWorkbook(pack: OfficePackage, relations: Relations, omissions: Omissions): Promise<Workbook> {
  const root = await pack.tree(pack.mainPart);
  const sheets = elementsIn(root, 'x:sheet').flatMap(({ attributes }, i): Sheet[] => {
    const relation = relations.byId(attributes['r:id']);
    const name = attributes['name'] ?? `Sheet ${i + 1}`;
    const part = pack.partOf(relation);
    if (part === undefined) {
      omissions.add(omitted.missing, { text: name });
      return [];
    }
    const isHidden = /hidden/i.test(attributes['state'] ?? '');
    return [{ name, number: i + 1, part, kind: relation?.type ?? '', isHidden }];
  });
  const date1904 = elementIn(root, 'x:workbookPr')?.attributes['date1904'];
  return { sheets, countsFrom1904: date1904 !== undefined && isOn(date1904) };
}
