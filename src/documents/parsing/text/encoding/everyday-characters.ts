/** Characters that make up about half of any running text of a language. */
const everyday = {
  simplified:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种' +
    '事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十民第公',
  traditional:
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種' +
    '事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公',
  korean:
    '이다는을가의에한고하지로사기어은나자대라리를서도인아시정일해들그수보있전것게만부상여장스제성주원구조과유국공으비오안' +
    '요거모중트무개적면신경',
} as const;

type Language = keyof typeof everyday | 'japanese';

const sets = {
  simplified: new Set(everyday.simplified),
  traditional: new Set(everyday.traditional),
  korean: new Set(everyday.korean),
};

/** Share of everyday characters among the letters beyond ASCII, 0–1. For Japanese these are the kana. */
export function everydayShare(text: string, language: Language): number {
  let letters = 0;
  let common = 0;
  for (const char of text) {
    if (char < '\u0080' || !/\p{L}/u.test(char)) continue;
    letters += 1;
    if (language === 'japanese' ? isKana(char) : sets[language].has(char)) common += 1;
  }
  return letters === 0 ? 0 : common / letters;
}

/** Full-width kana. */
function isKana(char: string): boolean {
  return char >= '\u3041' && char <= '\u30fa';
}
