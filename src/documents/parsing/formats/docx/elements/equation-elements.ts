import type { ElementReader, ElementReaders } from './element-reader.js';

const part = (name: string): ElementReader => ({
  open({ equation }, attributes) {
    if (equation.isOpen || name === 'm:oMath') equation.enter(name, attributes);
  },
  close({ equation, words }) {
    if (!equation.isOpen) return;
    const whole = equation.leave();
    if (!equation.isOpen && whole !== '') words.write(whole);
  },
});

const structure =
  'oMath t f num den sSup sSub sSubSup sPre sup sub e func fName rad deg nary acc limLow limUpp lim d m mr eqArr phant';
const propertyElements = 'chr begChr endChr sepChr show';
const holders = 'naryPr accPr dPr phantPr';

/** Equations, each on one line of text. */
export const equationElements: ElementReaders = Object.fromEntries(
  `${structure} ${propertyElements} ${holders}`.split(' ').map((name) => [`m:${name}`, part(`m:${name}`)]),
);
