const step = 256;

/**
 * Converts offsets of one text between UTF-16 units, which strings are made of, and code points, which offsets are told
 * in. The text is read once; texts without surrogate pairs need no table.
 */
export class CodePoints {
  /** Code points before every 256th unit; absent where units and code points are the same. */
  private readonly marks: Uint32Array | undefined;

  constructor(private readonly text: string) {
    this.marks = /[\ud800-\udbff]/.test(text) ? marksOf(text) : undefined;
  }

  /** Code points of the whole text. */
  get length(): number {
    return this.pointAt(this.text.length);
  }

  /** Code points before a unit. */
  pointAt(unit: number): number {
    const { marks } = this;
    if (!marks) return unit;
    const mark = Math.min(unit >> 8, marks.length - 1);
    return (marks[mark] ?? 0) + countPoints(this.text, mark * step, unit);
  }

  /** Unit at which a code point starts; the length of the text for offsets beyond it. */
  unitAt(point: number): number {
    const { marks, text } = this;
    if (!marks) return Math.min(point, text.length);
    let mark = lastAtMost(marks, point);
    let left = point - (marks[mark] ?? 0);
    mark *= step;
    if (mark > 0 && isPair(text, mark - 1)) mark += 1;
    while (left > 0 && mark < text.length) {
      mark += isPair(text, mark) ? 2 : 1;
      left -= 1;
    }
    return mark;
  }

  /** Code points between two units. */
  count(start: number, end: number): number {
    return this.marks ? this.pointAt(end) - this.pointAt(start) : end - start;
  }

  /** The unit that lies `points` code points after `unit`, or the end of the text. */
  advance(unit: number, points: number): number {
    if (!this.marks) return Math.min(unit + points, this.text.length);
    return this.unitAt(this.pointAt(unit) + points);
  }
}

/** True if a surrogate pair starts at the unit. */
function isPair(text: string, unit: number): boolean {
  const high = text.charCodeAt(unit);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(unit + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** Code points that start in a range of units. */
function countPoints(text: string, start: number, end: number): number {
  let points = end - start;
  for (let unit = Math.max(start - 1, 0); unit < end - 1; unit += 1) if (isPair(text, unit)) points -= 1;
  return points;
}

function marksOf(text: string): Uint32Array {
  const marks = new Uint32Array((text.length >> 8) + 1);
  for (let mark = 1, points = 0; mark < marks.length; mark += 1) {
    points += countPoints(text, (mark - 1) * step, mark * step);
    marks[mark] = points;
  }
  return marks;
}

function lastAtMost(marks: Uint32Array, point: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((marks[middle] ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}
