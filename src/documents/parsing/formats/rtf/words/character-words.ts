import { omitted } from '../../ooxml/omitted.js';
import { encodingOfPage } from '../code-pages.js';
import type { WordReader, WordReaders } from './word-reader.js';

const sign =
  (text: string): WordReader =>
  (reader) =>
    reader.write(text);

const page =
  (number: number): WordReader =>
  ({ characters }) => {
    characters.ofDocument = encodingOfPage(number) ?? characters.ofDocument;
  };

/** Words that stand for characters, and those that say how characters are to be read. */
export const characterWords: WordReaders = {
  '\\': (reader) => reader.writeBytes(Buffer.from('\\')),
  '{': (reader) => reader.writeBytes(Buffer.from('{')),
  '}': (reader) => reader.writeBytes(Buffer.from('}')),
  '~': sign(' '),
  _: sign('-'),
  tab: sign('\t'),
  line: sign('\n'),
  softline: sign('\n'),
  emdash: sign('—'),
  endash: sign('–'),
  emspace: sign(' '),
  enspace: sign(' '),
  qmspace: sign(' '),
  bullet: sign('•'),
  lquote: sign('‘'),
  rquote: sign('’'),
  ldblquote: sign('“'),
  rdblquote: sign('”'),
  u(reader, number = 0) {
    const { characters, font, state } = reader;
    // Nothing but text has letters that are worth being put together.
    if (state.destination.write) reader.write(characters.unicode(number, state.substitutes, font));
  },
  uc: (reader, number = 1) => reader.set({ substitutes: Math.min(Math.max(number, 0), 100) }),
  ansi: page(1252),
  mac: page(10_000),
  pc: page(437),
  pca: page(850),
  ansicpg: (reader, number = 1252) => page(number)(reader, undefined),
  f: (reader, number = 0) => reader.set({ font: number }),
  deff(reader, number = 0) {
    reader.defaultFont = number;
    reader.set({ font: number });
  },
  plain: (reader) => reader.set({ font: reader.defaultFont, isHidden: false, isDeleted: false }),
  v: (reader, number = 1) => reader.set({ isHidden: number !== 0 }),
  deleted: (reader, number = 1) => reader.set({ isDeleted: number !== 0 }),
  revised({ facts }, number = 1) {
    if (number !== 0) facts.omissions.add(omitted.insertions);
  },
};
