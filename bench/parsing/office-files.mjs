import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { strToU8, Zip, ZipDeflate } from 'fflate';

const schemas = 'http://schemas.openxmlformats.org';
const office = `${schemas}/officeDocument/2006/relationships`;
const package2006 = `${schemas}/package/2006`;
const sheetNs = `xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${office}"`;
const columns = 10;
const names = 5_000;

/** A workbook of one sheet: numbers, names, dates and amounts in ten columns. */
export async function writeWorkbook(path, rows) {
  const letter = (column) => String.fromCharCode(65 + column);
  const cell = (row, column) => {
    const ref = `${letter(column)}${row + 1}`;
    if (row === 0) return `<c r="${ref}" t="s"><v>${column}</v></c>`;
    if (column === 0) return `<c r="${ref}"><v>${row}</v></c>`;
    if (column % 3 === 1) return `<c r="${ref}" t="s"><v>${columns + ((row * 7 + column) % names)}</v></c>`;
    if (column % 3 === 2) return `<c r="${ref}" s="1"><v>${45_000 + (row % 700)}</v></c>`;
    return `<c r="${ref}" s="2"><v>${(row * 1.37).toFixed(4)}</v></c>`;
  };
  await writeOffice(path, 'xl/workbook.xml', 'spreadsheetml.sheet', {
    'xl/_rels/workbook.xml.rels': [
      relations([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'styles', 'styles.xml'],
        ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ]),
    ],
    'xl/workbook.xml': [
      `<workbook ${sheetNs}><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    'xl/styles.xml': [
      `<styleSheet ${sheetNs}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
        '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="4"/></cellXfs></styleSheet>',
    ],
    'xl/sharedStrings.xml': (function* () {
      yield `<sst ${sheetNs}>`;
      for (let i = 0; i < columns; i += 1) yield `<si><t>Column ${letter(i)}</t></si>`;
      for (let i = 0; i < names; i += 1) yield `<si><t>Customer number ${i}, Long Street</t></si>`;
      yield '</sst>';
    })(),
    'xl/worksheets/sheet1.xml': (function* () {
      yield `<worksheet ${sheetNs}><sheetData>`;
      for (let row = 0; row <= rows; row += 1) {
        yield `<row r="${row + 1}">${Array.from({ length: columns }, (_, column) => cell(row, column)).join('')}</row>`;
      }
      yield '</sheetData></worksheet>';
    })(),
  });
}

/** A document of plain paragraphs with as many megabytes of XML. */
export async function writeDocument(path, megabytes) {
  const paragraph = (i) =>
    '<w:p><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t xml:space="preserve">Paragraph ' +
    `${i} says a number of things, one after the other, as such paragraphs do. </w:t></w:r><w:r><w:t>Then it ends.</w:t></w:r></w:p>`;
  const count = Math.ceil((megabytes * 1e6) / paragraph(10_000).length);
  await writeOffice(path, 'word/document.xml', 'wordprocessingml.document', {
    'word/document.xml': (function* () {
      yield `<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>`;
      for (let i = 0; i < count; i += 1) yield paragraph(i);
      yield '</w:body></w:document>';
    })(),
  });
}

async function writeOffice(path, main, kind, parts) {
  const out = createWriteStream(path);
  const zip = new Zip((error, part, isLast) => {
    if (error) throw error;
    out.write(part);
    if (isLast) out.end();
  });
  const type = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  const types =
    `<Types xmlns="${package2006}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${type}"/></Types>`;
  add(zip, '[Content_Types].xml', [types]);
  add(zip, '_rels/.rels', [relations([['rId1', 'officeDocument', main]])]);
  for (const [name, pieces] of Object.entries(parts)) add(zip, name, pieces);
  zip.end();
  await once(out, 'close');
}

function relations(listed) {
  const elements = listed.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${package2006}/relationships">${elements.join('')}</Relationships>`;
}

function add(zip, name, pieces) {
  const file = new ZipDeflate(name, { level: 6 });
  zip.add(file);
  let waiting = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < 65_536) continue;
    file.push(strToU8(waiting));
    waiting = '';
  }
  file.push(strToU8(waiting), true);
}
