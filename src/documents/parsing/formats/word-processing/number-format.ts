import { roman } from '../../writing/roman.js';
import { chineseCount, chineseDigit, circled, fullWidth, lettered, ordinal } from '../ooxml/number-text.js';

const formats: Readonly<Record<string, (number: number) => string>> = {
  decimalZero: (number) => String(number).padStart(2, '0'),
  lowerRoman: (number) => roman(number).toLowerCase() || String(number),
  upperRoman: (number) => roman(number) || String(number),
  lowerLetter: (number) => lettered(number),
  upperLetter: (number) => lettered(number).toUpperCase(),
  ordinal,
  hex: (number) => number.toString(16).toUpperCase(),
  numberInDash: (number) => `- ${number} -`,
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  decimalFullWidth: fullWidth,
  decimalFullWidth2: fullWidth,
  chineseCounting: chineseCount,
  chineseCountingThousand: chineseCount,
  taiwaneseCounting: chineseCount,
  taiwaneseCountingThousand: chineseCount,
  japaneseCounting: chineseCount,
  ideographDigital: chineseDigit,
  japaneseDigitalTenThousand: chineseDigit,
  taiwaneseDigital: chineseDigit,
  ideographTraditional: (number) => lettered(number, '甲乙丙丁戊己庚辛壬癸'),
  ideographZodiac: (number) => lettered(number, '子丑寅卯辰巳午未申酉戌亥'),
  aiueoFullWidth: (number) =>
    lettered(number, 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'),
  irohaFullWidth: (number) =>
    lettered(number, 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス'),
  ganada: (number) => lettered(number, '가나다라마바사아자차카타파하'),
  chosung: (number) => lettered(number, 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
  russianLower: (number) => lettered(number, 'абвгдежзиклмнопрстуфхцчшщыэюя'),
  russianUpper: (number) => lettered(number, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ'),
  hebrew2: (number) => lettered(number, 'אבגדהוזחטיכלמנסעפצקרשת'),
  none: () => '',
};

/** A number of a list as Word shows it; in plain digits for the rarer formats. */
export function formatNumber(number: number, format: string): string {
  return (formats[format] ?? String)(number);
}
