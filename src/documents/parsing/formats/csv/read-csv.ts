import { Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { TableWriter } from '../../writing/table-writer.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { writingDecoded } from '../decoded-writing.js';
import { RaggedRows } from './ragged-rows.js';
import { sniffDelimiter, type Separation } from './sniff-delimiter.js';

/** Text is handed over in pieces, so that records do not pile up. */
const pieceUnits = 65_536;

/** Comma-separated values, whatever parts them: one table. */
export const readCsv = writingDecoded((text, out) => readSeparated(text, ',', out));

/** The same where tabs are expected. */
export const readTsv = writingDecoded((text, out) => readSeparated(text, '\t', out));

async function readSeparated(text: string, usual: ',' | '\t', out: DocumentWriter): Promise<void> {
  const separation = sniffDelimiter(text, usual);
  const isQuoted = await closesItsQuotes(text, separation);
  if (!isQuoted) {
    out.warn('QUOTE_NOT_CLOSED', 'A quoted field is never closed: quotes were read as text, and each line as a row.');
  }
  const table = new TableWriter(out);
  const ragged = new RaggedRows();
  for await (const cells of records(text, separation, isQuoted)) {
    ragged.see(cells.length);
    table.row(cells);
  }
  table.end();
  const said = ragged.describe();
  if (said) out.warn('RAGGED_ROWS', said);
}

/** Read once for this alone: afterwards rows would have been written already. */
async function closesItsQuotes(text: string, separation: Separation): Promise<boolean> {
  if (!text.includes('"')) return true;
  try {
    for await (const record of records(text, separation, true)) void record;
    return true;
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') return false;
    throw error;
  }
}

function records(text: string, { delimiter, start }: Separation, isQuoted: boolean): AsyncIterable<string[]> {
  const options: Options = {
    delimiter,
    quote: isQuoted ? '"' : null,
    // A quote in the middle of a field, or text behind a closing one, is text.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: '\n',
  };
  return Readable.from(pieces(text, start)).pipe(parse(options)) as AsyncIterable<string[]>;
}

function* pieces(text: string, start: number): Generator<string> {
  for (let at = start; at < text.length; at += pieceUnits) yield text.slice(at, at + pieceUnits);
}
