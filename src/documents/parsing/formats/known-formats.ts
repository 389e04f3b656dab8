import type { Format } from './format.js';

const plainText: Format = {
  name: 'plain text',
  mediaType: 'text/plain',
  endings: ['txt', 'text', 'log'],
  load: async () => (await import('./read-plain.js')).readPlain,
};

const markdown: Format = {
  name: 'Markdown',
  mediaType: 'text/markdown',
  endings: ['md', 'markdown', 'mdown', 'mkd', 'mkdn'],
  load: async () => (await import('./read-plain.js')).readMarkdown,
};

const csv: Format = {
  name: 'CSV',
  mediaType: 'text/csv',
  endings: ['csv'],
  load: async () => (await import('./csv/read-csv.js')).readCsv,
};

const tsv: Format = {
  name: 'TSV',
  mediaType: 'text/tab-separated-values',
  endings: ['tsv', 'tab'],
  load: async () => (await import('./csv/read-csv.js')).readTsv,
};

const json: Format = {
  name: 'JSON',
  mediaType: 'application/json',
  endings: ['json'],
  load: async () => (await import('./json/read-json.js')).readJson,
};

const jsonLines: Format = {
  name: 'JSON Lines',
  mediaType: 'application/jsonl',
  endings: ['jsonl', 'ndjson'],
  load: async () => (await import('./json/read-json.js')).readJsonLines,
};

const html: Format = {
  name: 'HTML',
  mediaType: 'text/html',
  endings: ['html', 'htm', 'xhtml', 'xht'],
  load: async () => (await import('./html/read-html.js')).readHtml,
};

const eml: Format = {
  name: 'EML',
  mediaType: 'message/rfc822',
  endings: ['eml', 'mht', 'mhtml'],
  load: async () => (await import('./eml/read-eml.js')).readEml,
};

const docx: Format = {
  name: 'Word (DOCX)',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  endings: ['docx', 'docm', 'dotx', 'dotm'],
  load: async () => (await import('./docx/read-docx.js')).readDocx,
};

const epub: Format = {
  name: 'EPUB',
  mediaType: 'application/epub+zip',
  endings: ['epub'],
  load: async () => (await import('./epub/read-epub.js')).readEpub,
};

const xlsx: Format = {
  name: 'Excel (XLSX)',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  endings: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  load: async () => (await import('./xlsx/read-xlsx.js')).readXlsx,
};

const odt: Format = {
  name: 'OpenDocument text (ODT)',
  mediaType: 'application/vnd.oasis.opendocument.text',
  endings: ['odt', 'ott'],
  load: async () => (await import('./odt/read-odt.js')).readOdt,
};

const flatOdt: Format = {
  name: 'flat OpenDocument text',
  mediaType: 'application/vnd.oasis.opendocument.text-flat-xml',
  endings: ['fodt'],
  load: async () => (await import('./odt/read-odt.js')).readFlatOdt,
};

const pptx: Format = {
  name: 'PowerPoint (PPTX)',
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  endings: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  load: async () => (await import('./pptx/read-pptx.js')).readPptx,
};

const pdf: Format = {
  name: 'PDF',
  mediaType: 'application/pdf',
  endings: ['pdf'],
  load: async () => (await import('./pdf/read-pdf.js')).readPdf,
};

const rtf: Format = {
  name: 'Rich Text (RTF)',
  mediaType: 'application/rtf',
  endings: ['rtf'],
  load: async () => (await import('./rtf/read-rtf.js')).readRtf,
};

/** Formats by the names that detection gives them. Adding one is one entry here. */
export const knownFormats = {
  plainText,
  markdown,
  csv,
  tsv,
  json,
  jsonLines,
  html,
  eml,
  docx,
  epub,
  odt,
  flatOdt,
  rtf,
  xlsx,
  pptx,
  pdf,
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof knownFormats;

/** What can be read, for messages. */
export const readableNames = Object.values(knownFormats).map(({ name }) => name);
