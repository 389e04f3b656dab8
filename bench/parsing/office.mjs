// Reading a workbook of 200,000 rows and a document of 10 MB of XML: this project against exceljs and mammoth.
//
//   npm run build && npm install --prefix bench --ignore-scripts --legacy-peer-deps    (for the comparison)
//   node bench/parsing/office.mjs
//
// Each reading has a process of its own, so that the largest memory is that of one reading. Rounds are interleaved; a ratio
// is the median over rounds of the ratio within a round.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareReaders } from './compare-readers.mjs';
import { writeDocument, writeWorkbook } from './office-files.mjs';

const rows = Number(process.env.ROWS ?? 200_000);
const documentMb = Number(process.env.DOCUMENT_MB ?? 10);

const folder = await mkdtemp(join(tmpdir(), 'indexwright-bench-'));
try {
  const workbook = join(folder, 'workbook.xlsx');
  const document = join(folder, 'document.docx');
  await writeWorkbook(workbook, rows);
  await writeDocument(document, documentMb);
  await compareReaders(`workbook, ${rows} rows of 10 columns`, workbook, ['exceljs, streaming', 'exceljs, whole']);
  await compareReaders(`document, ${documentMb} MB of XML`, document, ['mammoth, to Markdown']);
} finally {
  await rm(folder, { recursive: true });
}
