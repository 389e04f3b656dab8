import type { GraphicsState } from './graphics-state.js';
import { apply, type Matrix } from './matrix.js';
import type { Box, PageRules, Rule } from './page-content.js';

/** Numbers of the operators that paths are made of. */
export interface PathOperators {
  readonly moveTo: number;
  readonly lineTo: number;
  readonly curveTo: number;
  readonly curveTo2: number;
  readonly curveTo3: number;
  readonly closePath: number;
  readonly rectangle: number;
}

type Point = readonly [x: number, y: number];

/** A page with more is a drawing or a map, and nothing in it rules a table. */
const mostRules = 20_000;
/** Points: a filled box that is thinner than this is a line. */
const thickest = 3;
const shortest = 3;
const smallestDot = 1;
const largestDot = 10;
const mostCorners = 50;
const mostDots = 2_000;
/** How far from straight a line may be. */
const slant = 0.8;

/** Follows the paths of a page and keeps those that are straight lines. */
export class RulePainter {
  private readonly level: Rule[] = [];
  private readonly upright: Rule[] = [];
  private readonly dots: Box[] = [];
  /** What the waiting path reaches over. */
  private extent: Point[] = [];
  private waiting: (readonly Point[])[] = [];

  constructor(private readonly operators: PathOperators) {}

  /** Adds to the path that waits to be painted. */
  construct(args: readonly unknown[], { transform }: GraphicsState): void {
    const [steps, numbers] = args;
    if (!isNumbers(steps) || !isNumbers(numbers) || this.count > mostRules) return;
    for (const outline of this.outlines(steps, numbers, transform)) this.waiting.push(outline);
  }

  /** Paints the path as lines. */
  stroke(): void {
    for (const outline of this.waiting) {
      for (const [i, point] of outline.entries()) {
        const next = outline[i + 1];
        if (next) this.add(point, next);
      }
    }
    this.drop();
  }

  /** Paints the path as areas. */
  fill(): void {
    const dot = boxOf(this.extent);
    if (this.extent.length < mostCorners && isDot(dot) && this.dots.length < mostDots) this.dots.push(dot);
    for (const outline of this.waiting) {
      const { left, right, top, bottom } = boxOf(outline);
      if (bottom - top <= thickest && right - left > bottom - top) {
        this.add([left, (top + bottom) / 2], [right, (top + bottom) / 2]);
      } else if (right - left <= thickest) this.add([(left + right) / 2, top], [(left + right) / 2, bottom]);
    }
    this.drop();
  }

  /** Gives the path up. */
  drop(): void {
    this.waiting = [];
    this.extent = [];
  }

  finish(): PageRules {
    const { level, upright, dots } = this;
    return this.count > mostRules ? { level: [], upright: [], dots: [] } : { level, upright, dots };
  }

  private get count(): number {
    return this.level.length + this.upright.length + this.waiting.length;
  }

  private add([x1, y1]: Point, [x2, y2]: Point): void {
    if (this.count > mostRules) return;
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    if (width >= shortest && height <= slant) {
      this.level.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) });
    } else if (height >= shortest && width <= slant) {
      this.upright.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) });
    }
  }

  /** A bullet has few corners. */
  private seen(point: Point): Point {
    if (this.extent.length < mostCorners) this.extent.push(point);
    return point;
  }

  /** The corners of each outline; a curve parts what comes before it from what comes after. */
  private outlines(steps: readonly number[], numbers: readonly number[], transform: Matrix): Point[][] {
    const { moveTo, lineTo, closePath, rectangle } = this.operators;
    const outlines: Point[][] = [];
    let open: Point[] = [];
    let at = 0;
    const point = (): Point => this.seen(apply(transform, numbers[at++] ?? NaN, numbers[at++] ?? NaN));
    const begin = (...points: Point[]): void => {
      open = points;
      outlines.push(open);
    };
    for (const step of steps) {
      if (step === moveTo) begin(point());
      else if (step === lineTo) open.push(point());
      else if (step === closePath) open.push(...open.slice(0, 1));
      else if (step === rectangle) {
        const [x = NaN, y = NaN, width = NaN, height = NaN] = numbers.slice(at, at + 4);
        at += 4;
        const corners: Point[] = [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
          [x, y],
        ];
        begin(...corners.map(([px, py]) => this.seen(apply(transform, px, py))));
      } else {
        // Where it is pulled to, where it is pulled from, and where it ends.
        if (step === this.operators.curveTo) point();
        point();
        begin(point());
      }
    }
    return outlines.filter((outline) => outline.length > 1);
  }
}

function boxOf(outline: readonly Point[]): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const [x, y] of outline) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** As large as a bullet, and about as wide as it is tall. */
function isDot({ left, right, top, bottom }: Box): boolean {
  const [width, height] = [right - left, bottom - top];
  return width >= smallestDot && width <= largestDot && height > width / 2 && height < width * 2;
}

function isNumbers(values: unknown): values is readonly number[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'number');
}
