// Reading a PDF of 1,000 pages of text: this project against the text that pdfjs-dist gives by itself.
//
//   npm run build && node bench/parsing/pdf.mjs
//
// Each reading has a process of its own; rounds are interleaved, and a ratio is the median over rounds of the ratio within a round.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { compareReaders } from './compare-readers.mjs';

const pages = Number(process.env.PAGES ?? 1_000);

const folder = await mkdtemp(join(tmpdir(), 'indexwright-bench-'));
try {
  const path = join(folder, 'book.pdf');
  await pipeline(book(), createWriteStream(path));
  await compareReaders(`PDF, ${pages} pages`, path, ['pdfjs-dist, text alone']);
} finally {
  await rm(folder, { recursive: true });
}

/** Chapters with a heading, running heads, justified text and page numbers. */
function book() {
  const document = new PDFDocument({ size: 'A4', margin: 60, autoFirstPage: false });
  const words =
    'the service keeps every document that was uploaded and builds an index from it while people search what was built before so nothing is lost between them'.split(
      ' ',
    );
  let state = 7;
  const word = () => words[(state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % words.length];
  for (let page = 1; page <= pages; page += 1) {
    document.addPage();
    document.font('Helvetica').fontSize(9).text('Handbook of builds', 60, 30, { lineBreak: false });
    document.font('Helvetica-Bold').fontSize(16).text(`Chapter ${page}`, 60, 70);
    document.font('Times-Roman').fontSize(11);
    for (let i = 0; i < 6; i += 1) {
      const text = Array.from({ length: 80 }, word).join(' ');
      document.text(`${text}.`, { align: 'justify', paragraphGap: 8 });
    }
    document.font('Helvetica').fontSize(9).text(`${page}`, 280, 775, { lineBreak: false });
  }
  document.end();
  return document;
}
