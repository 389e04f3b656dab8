// Reading a workbook of 200,000 rows and a document of 10 MB of XML: this project against exceljs and mammoth.
//
//   npm run build && npm install --prefix bench --ignore-scripts --legacy-peer-deps    (for the comparison)
//   node bench/parsing/office.mjs
//
// Each reading has a process of its own, so that the largest memory is that of one reading. Rounds are interleaved; a ratio
// is the median over rounds of the ratio within a round.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, table } from '../statistics.mjs';
import { writeDocument, writeWorkbook } from './office-files.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);
const rows = Number(process.env.ROWS ?? 200_000);
const documentMb = Number(process.env.DOCUMENT_MB ?? 10);

const folder = await mkdtemp(join(tmpdir(), 'indexwright-bench-'));
try {
  const workbook = join(folder, 'workbook.xlsx');
  const document = join(folder, 'document.docx');
  await writeWorkbook(workbook, rows);
  await writeDocument(document, documentMb);
  await compare(`workbook, ${rows} rows of 10 columns`, workbook, ['exceljs, streaming', 'exceljs, whole']);
  await compare(`document, ${documentMb} MB of XML`, document, ['mammoth, to Markdown']);
} finally {
  await rm(folder, { recursive: true });
}

async function compare(name, path, others) {
  const variants = ['service', ...others];
  const taken = new Map(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of variants) taken.get(variant).push(await reading(variant, path));
  }
  const own = taken.get('service');
  const result = variants.map((variant) => {
    const all = taken.get(variant).filter(Boolean);
    if (all.length < rounds) return [variant, 'failed or not installed', '', '', '', ''];
    const middle = (key) => median(all.map((one) => one[key]));
    const ratio = (key) => median(all.map((one, round) => one[key] / own[round][key])).toFixed(2);
    const figures = [
      (middle('ms') / 1_000).toFixed(1),
      (middle('cpuMs') / 1_000).toFixed(1),
      middle('rssMb').toFixed(0),
    ];
    return [variant, ...figures, ratio('cpuMs'), ratio('rssMb')];
  });
  table([name, 'seconds', 'CPU s', 'peak MB', 'CPU to ours', 'memory to ours'], result);
  console.log();
}

/** What one reading took; undefined if it did not come to its end. */
async function reading(variant, path) {
  const child = fork(new URL('./office-child.mjs', import.meta.url), [variant, path], {
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  let report;
  child.once('message', (message) => (report = message));
  await once(child, 'exit');
  return report;
}
