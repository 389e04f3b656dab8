import { dead } from '../destinations.js';
import { each, type WordReaders } from './word-reader.js';

const groups = 'mmath moMath moMathPara';
/** What says how parts of an equation look. */
const properties =
  'mfPr mnaryPr mdPr mradPr maccPr mbarPr mboxPr mborderBoxPr meqArrPr mfuncPr mgroupChrPr mlimLowPr mlimUppPr mmPr mphantPr msPrePr ' +
  'msSubPr msSubSupPr msSupPr mctrlPr margPr moMathParaPr mrPr';

/** Equations, on one line. */
export const equationWords: WordReaders = {
  ...each(groups, () => undefined),
  ...each(properties, (reader) => reader.enter(dead)),
  mden: (reader) => reader.write('/'),
  msup: (reader) => reader.write('^'),
  msub: (reader) => reader.write('_'),
};
