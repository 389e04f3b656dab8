import type { PageContent, TextPiece } from '../content/page-content.js';
import { cellsOf, type Line } from '../layout/line.js';
import { linesOf } from '../layout/rows.js';
import { maskedText, pageNumberIn } from './page-number.js';

/** Pages that are looked at before and after a page. */
export const pagesAround = 10;
/** Part of a page's height in which running heads stand, at its top and its bottom, and how many lines there. */
const zone = 0.15;
const mostLines = 3;
/** A line with more parts belongs to a table. */
const mostCells = 4;
const longestHead = 150;
/** Pages that must show the same to call it running. */
const fewestPages = 3;
const samePlace = 4;
/** To the usual size of the page: titles that come again are larger. */
const largestHead = 1.15;

/** A text at the edge of a page. */
interface EdgeText {
  readonly page: number;
  /** Points from the edge. */
  readonly distance: number;
  readonly number: number | undefined;
}

interface EdgeLine {
  readonly line: Line;
  readonly texts: readonly { readonly key: string; readonly edge: EdgeText }[];
  readonly isMarked: boolean;
}

/** What was left out of a page. */
export interface LeftOut {
  readonly pieces: ReadonlySet<TextPiece>;
  readonly texts: readonly string[];
}

/**
 * Tells running heads and page numbers from text: they stand at the same place of several pages near each other, with
 * the same words or with numbers that count the pages. Pages are noted some time before they are asked about.
 */
export class RunningHeads {
  private readonly seen = new Map<string, EdgeText[]>();
  private readonly pages = new Map<number, readonly EdgeLine[]>();

  constructor(private readonly pageCount: number) {}

  note(page: PageContent): void {
    const lines = edgeLines(page);
    this.pages.set(page.number, lines);
    for (const { key, edge } of lines.flatMap(({ texts }) => texts)) {
      const same = this.seen.get(key);
      if (same) same.push(edge);
      else this.seen.set(key, [edge]);
    }
  }

  /** What runs on a page, which is forgotten with that. */
  take(page: number): LeftOut {
    const lines = this.pages.get(page) ?? [];
    this.pages.delete(page);
    const running = lines.filter(
      (line) => line.isMarked || line.texts.some(({ key, edge }) => this.isRunning(key, edge)),
    );
    return {
      pieces: new Set(running.flatMap(({ line }) => line.pieces)),
      texts: running.map(({ line }) => line.text),
    };
  }

  private isRunning(key: string, edge: EdgeText): boolean {
    const near = (this.seen.get(key) ?? []).filter(
      (other) =>
        Math.abs(other.page - edge.page) <= pagesAround && Math.abs(other.distance - edge.distance) <= samePlace,
    );
    const { number } = edge;
    if (number !== undefined) {
      const counting = near.filter(
        (other) => other.number !== undefined && other.number - other.page === number - edge.page,
      );
      return counting.length >= Math.min(fewestPages, Math.max(this.pageCount, 2));
    }
    const pages = new Set(near.map((other) => other.page)).size;
    // Two pages prove little, unless the text has a number that goes on.
    return pages >= (key.includes('#') ? Math.min(fewestPages, Math.max(this.pageCount, 2)) : fewestPages);
  }
}

function edgeLines({ number, height, texts }: PageContent): EdgeLine[] {
  const upright = texts.find(({ angle }) => angle === 0)?.pieces ?? [];
  const size = usualSize(upright);
  const edges: EdgeLine[] = [];
  for (const [name, pieces] of [
    ['top', upright.filter((piece) => piece.baseline < zone * height)],
    ['bottom', upright.filter((piece) => piece.baseline > (1 - zone) * height)],
  ] as const) {
    const lines = linesOf(pieces);
    const outer = name === 'top' ? lines.slice(0, mostLines) : lines.slice(-mostLines);
    for (const line of outer) {
      const isTitle = line.size > largestHead * size && pageNumberIn(line.text) === undefined;
      if (isTitle || line.text.length > longestHead) continue;
      edges.push(edgeLine(line, name, number, name === 'top' ? line.baseline : height - line.baseline));
    }
  }
  return edges;
}

function edgeLine(line: Line, zoneName: string, page: number, distance: number): EdgeLine {
  const cells = cellsOf(line);
  const texts =
    cells.length > mostCells
      ? []
      : cells.map(({ text }) => {
          const pageNumber = pageNumberIn(text);
          const key = `${zoneName} ${pageNumber === undefined ? maskedText(text) : 'page number'}`;
          return { key, edge: { page, distance, number: pageNumber } };
        });
  return { line, texts, isMarked: line.pieces.every(({ isArtifact }) => isArtifact) };
}

function usualSize(pieces: readonly TextPiece[]): number {
  const sizes = pieces.flatMap(({ size, text }) => (text.length > 20 ? [size] : [])).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? Infinity;
}
