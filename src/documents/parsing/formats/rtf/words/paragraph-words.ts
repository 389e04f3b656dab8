import { plainParagraph } from '../rtf-state.js';
import type { RtfReader } from '../rtf-reader.js';
import type { WordReader, WordReaders } from './word-reader.js';

const endParagraph: WordReader = (reader) => {
  const { openFlow, state } = reader;
  if (openFlow) openFlow.endParagraph(state.paragraph);
  else reader.write(' ');
};

/** Ends a cell of a table at some depth; words without a number that ask for it count as the outermost. */
function endCell(reader: RtfReader, depth: number): void {
  const { openFlow, state } = reader;
  if (openFlow) openFlow.endCell(state.paragraph, Math.max(depth, 1));
  else reader.write(' ');
}

/** Words about paragraphs, and the tables that they stand in. */
export const paragraphWords: WordReaders = {
  par: endParagraph,
  sect: endParagraph,
  page: endParagraph,
  pard: (reader) => reader.set({ paragraph: plainParagraph }),
  s: (reader, number = 0) => reader.setParagraph({ style: number }),
  outlinelevel: (reader, number) => reader.setParagraph({ outline: number }),
  ls: (reader, number = 0) => reader.setParagraph({ isListed: number > 0 }),
  ilvl: (reader, number = 0) => reader.setParagraph({ level: number }),
  intbl: (reader) => reader.setParagraph({ tables: Math.max(reader.state.paragraph.tables, 1) }),
  itap: (reader, number = 0) => reader.setParagraph({ tables: Math.max(number, 0) }),
  cell: (reader) => endCell(reader, 1),
  nestcell: (reader) => endCell(reader, reader.state.paragraph.tables),
  row: ({ openFlow, row }) => openFlow?.endRow(1, row.definition),
  nestrow: ({ state, row }) => state.flow.endRow(Math.max(state.paragraph.tables, 2), row.definition),
  trowd: ({ row }) => row.begin(),
  trleft: ({ row }, number = 0) => row.setLeft(number),
  trhdr: ({ row }) => row.nameColumns(),
  clmrg: ({ row }) => row.goOn('before'),
  clvmrg: ({ row }) => row.goOn('above'),
  cellx: ({ row }, number = 0) => row.addCell(number),
};
