// Reads one file once, by one library, and says what it took. Run by compare-readers.mjs.
const [variant, path] = process.argv.slice(2);

const readers = {
  async service() {
    const { SourceFile } = await import('../../dist/src/documents/parsing/source-file.js');
    const { readSource } = await import('../../dist/src/documents/parsing/read-source.js');
    const mb = 1024 * 1024;
    const limits = {
      textChars: 60e6,
      blocks: 1e6,
      pages: 10_000,
      depth: 500,
      entries: 10_000,
      inflatedBytes: 1_024 * mb,
    };
    const file = await SourceFile.open(path);
    return (await readSource(file, { fileName: path }, { ...limits, inflateRatio: 500 })).text.length;
  },
  /** Row by row, with each value as the library gives it: dates as the day's number, amounts without their format. */
  async 'exceljs, streaming'() {
    const { default: excel } = await import('exceljs');
    const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore' };
    const lines = [];
    for await (const sheet of new excel.stream.xlsx.WorkbookReader(path, options)) {
      for await (const row of sheet) lines.push(`| ${row.values.slice(1).join(' | ')} |`);
    }
    return lines.join('\n').length;
  },
  async 'exceljs, whole'() {
    const { default: excel } = await import('exceljs');
    const book = new excel.Workbook();
    await book.xlsx.readFile(path);
    const lines = [];
    book.eachSheet((sheet) => sheet.eachRow((row) => lines.push(`| ${row.values.slice(1).join(' | ')} |`)));
    return lines.join('\n').length;
  },
  async 'mammoth, to Markdown'() {
    const { default: mammoth } = await import('mammoth');
    return (await mammoth.convertToMarkdown({ path })).value.length;
  },
  /** Words with blanks between them, page by page. */
  async 'pdfjs-dist, text alone'() {
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const { readFile } = await import('node:fs/promises');
    const data = new Uint8Array(await readFile(path));
    const document = await getDocument({ data, isEvalSupported: false, verbosity: 0 }).promise;
    const pages = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map(({ str }) => str).join(' '));
      page.cleanup();
    }
    return pages.join('\n').length;
  },
};

const before = process.cpuUsage();
const start = performance.now();
const chars = await readers[variant]();
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();
process.send({ ms: performance.now() - start, cpuMs: (user + system) / 1e3, rssMb: maxRSS / 1024, chars });
process.disconnect();
