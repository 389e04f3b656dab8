import { format, getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';

/** Formats that follow the country of who looks at them. Their dates are written the way that everybody reads. */
const localDates: ReadonlySet<number> = new Set([14, 22, ...range(27, 36), ...range(50, 58)]);
const dateAlone = 14;
/** Days from the first day of dates that count from 1900 to that of those that count from 1904. */
const daysTo1904 = 1_462;
/** Texts of values that were formatted last; columns repeat few dates and amounts. */
const mostKept = 5_000;
/** Digits that a cell keeps of a number. */
const significantDigits = 15;

/** Shows the numbers and texts of cells of one format as Excel shows them, however narrow their column is. */
export class ValueFormat {
  private readonly kept = new Map<string, string>();
  private readonly code: string;
  private readonly isGeneral: boolean;
  private readonly shift: number;
  private readonly changesText: boolean;

  constructor(
    private readonly id: number,
    code: string | undefined,
    countsFrom1904: boolean,
  ) {
    const known = code ?? (localDates.has(id) ? 'yyyy-mm-dd' : getFormatFromId(id));
    const { year, month, day } = getFormatDateInfo(known);
    const isDate = year || month || day;
    this.code = isDate ? known : known.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '$1');
    this.isGeneral = /^(?:general)?$/i.test(known) || !isValidFormat(this.code);
    this.shift = countsFrom1904 && isDate ? daysTo1904 : 0;
    this.changesText = !this.isGeneral && known.includes('@') && known !== '@';
  }

  /** A number by its digits in the file. */
  number(digits: string): string {
    if (this.isGeneral) return plain(digits);
    const known = this.kept.get(digits);
    if (known !== undefined) return known;
    const shown = this.show(digits);
    if (this.kept.size === mostKept) this.kept.clear();
    this.kept.set(digits, shown);
    return shown;
  }

  /** A date that is written out; without a format it stands as it is. */
  date(serial: number, written: string): string {
    return this.isGeneral ? written : this.show(String(serial - this.shift));
  }

  text(text: string): string {
    return this.changesText ? (safely(() => format(this.code, text)) ?? text) : text;
  }

  private show(digits: string): string {
    const number = Number(digits);
    if (digits.trim() === '' || !Number.isFinite(number)) return digits;
    const value = number + this.shift;
    const code = localDates.has(this.id) ? localCode(this.id, value) : this.code;
    return safely(() => format(code, value).trim()) ?? plain(digits);
  }
}

function localCode(id: number, value: number): string {
  if (id === dateAlone || Number.isInteger(value)) return 'yyyy-mm-dd';
  return value < 1 ? 'hh:mm' : 'yyyy-mm-dd hh:mm';
}

/** A number without a format: with the digits that it has, but not those that come of binary fractions. */
function plain(digits: string): string {
  if (/^-?\d{1,15}$/.test(digits)) return digits;
  const number = Number(digits);
  if (digits.trim() === '' || !Number.isFinite(number)) return digits;
  return String(Number(number.toPrecision(significantDigits))).replace('e', 'E');
}

/** Formats may hold anything. */
function safely(show: () => string): string | undefined {
  try {
    return show();
  } catch {
    return undefined;
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
