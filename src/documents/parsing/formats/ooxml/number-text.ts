/** Letters as Word counts with them: a to z, then aa, bb, … */
export function lettered(number: number, alphabet = 'abcdefghijklmnopqrstuvwxyz'): string {
  const letters = [...alphabet];
  const rounds = Math.ceil(number / letters.length);
  if (number < 1 || rounds > 30) return String(number);
  return (letters[(number - 1) % letters.length] ?? '').repeat(rounds);
}

const chineseDigits = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/** Digits one by one. */
export function chineseDigit(number: number): string {
  return String(number).replace(/\d/g, (digit) => chineseDigits[Number(digit)] ?? digit);
}

/** As it is counted in Chinese, up to 9,999. */
export function chineseCount(number: number): string {
  if (number < 1 || number > 9999) return String(number);
  const digits = [...String(number)].map(Number);
  let text = '';
  let gap = false;
  digits.forEach((digit, i) => {
    if (digit === 0) gap = text !== '';
    else {
      const place = ['', '十', '百', '千'][digits.length - 1 - i] ?? '';
      text += `${gap ? '零' : ''}${chineseDigits[digit] ?? ''}${place}`;
      gap = false;
    }
  });
  return text.replace(/^一十/, '十');
}

/** Digits in a circle, as far as there are any. */
export function circled(number: number): string {
  return number >= 1 && number <= 20 ? String.fromCodePoint(0x245f + number) : String(number);
}

export function fullWidth(number: number): string {
  return String(number).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
}

export function ordinal(number: number): string {
  const tens = Math.abs(number) % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][tens % 10] ?? 'th');
  return `${number}${ending}`;
}
