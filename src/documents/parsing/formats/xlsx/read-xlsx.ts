import type { ReadLimits } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { Omissions } from '../../writing/omissions.js';
import { writing } from '../format.js';
import { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { Relations } from '../ooxml/relations.js';
import { CellFormats } from './cell-formats.js';
import type { CellValues } from './cell-reader.js';
import { omittedInSheets } from './omitted-sheets.js';
import { readSharedStrings } from './shared-strings.js';
import { lookAhead } from './sheet-outlook.js';
import { SheetReader } from './sheet-reader.js';
import { SheetSurroundings } from './sheet-surroundings.js';
import { SheetWriter } from './sheet-writer.js';
import { readWorkbook, type Sheet } from './workbook.js';

interface OpenWorkbook {
  readonly pack: OfficePackage;
  readonly values: Pick<CellValues, 'strings' | 'formats'>;
  readonly out: DocumentWriter;
  readonly omissions: Omissions;
}

/** Reads Excel workbooks, sheet by sheet as they come. */
export const readXlsx = writing(async ({ file }, out, limits) => {
  const pack = await OfficePackage.open(file, limits);
  const relations = await pack.relationsOf(pack.mainPart);
  const omissions = new Omissions();
  const { sheets, countsFrom1904 } = await readWorkbook(pack, relations, omissions);
  const values = await readValues(pack, relations, { omissions, countsFrom1904, limits });
  for (const sheet of sheets) {
    const place = sheet.name;
    if (sheet.kind === 'worksheet') await readSheet(sheet, { pack, values, out, omissions });
    else if (sheet.kind === 'chartsheet') omissions.add(omitted.charts, { place });
    else omissions.add(omittedInSheets.otherSheets, { place });
  }
  for (const { target } of relations.external()) omissions.add(omitted.external, { text: target });
  omissions.tell(out, 'sheet');
});

async function readValues(
  pack: OfficePackage,
  relations: Relations,
  book: { readonly omissions: Omissions; readonly countsFrom1904: boolean; readonly limits: ReadLimits },
): Promise<OpenWorkbook['values']> {
  const formats = new CellFormats(book.countsFrom1904);
  const [styles] = pack.partsOf(relations, 'styles', book.omissions);
  if (styles !== undefined) await formats.read(pack, styles);
  const [shared] = pack.partsOf(relations, 'sharedStrings', book.omissions);
  const strings = shared === undefined ? [] : await readSharedStrings(pack, shared, book.limits.textChars);
  return { formats, strings };
}

async function readSheet(sheet: Sheet, { pack, values, out, omissions }: OpenWorkbook): Promise<void> {
  const place = sheet.name;
  const around = new SheetSurroundings(pack, await pack.relationsOf(sheet.part), sheet, omissions);
  const { merged, filtered } = await lookAhead(await pack.zip.stream(sheet.part, { isSecondLook: true }));
  const named = [...(await around.namedTables()), ...filtered];
  const writer = new SheetWriter(sheet, out, omissions, { merged, named });
  const reader = new SheetReader(
    {
      ...values,
      withoutValue: () => omissions.add(omittedInSheets.formulas, { place }),
      hiddenByFormat: () => omissions.add(omittedInSheets.hiddenValues, { place }),
    },
    writer,
  );
  await pack.events(sheet.part, reader);
  await around.tallyComments();
  writer.end(await around.drawn());
  const hidden = reader.hiddenColumnCount;
  if (hidden > 0) omissions.add(omittedInSheets.hiddenColumns, { place, count: hidden });
}
