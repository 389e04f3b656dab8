import type { Range, SourceText } from '../source-text.js';

/** A section of a range with the sections inside it. */
export interface SectionNode {
  readonly start: number;
  /** End of what stands under its own heading, before the first section inside it. */
  ownEnd: number;
  readonly depth: number;
  /** The section of the text around it; 0 if there is no heading above. */
  readonly parent: number;
  /** False if there is nothing between its heading and the next. */
  hasBody: boolean;
  readonly children: SectionNode[];
}

/** Sizes that decide which sections are joined. */
export interface JoinSizes {
  tokens(range: Range): number;
  fits(range: Range): boolean;
  /** Sections under it are joined. */
  readonly least: number;
}

/** The sections that begin in a range, under a root for the whole range. Headings deeper than `deepest` are text. */
export function sectionTree(source: SourceText, range: Range, deepest: number): SectionNode {
  const { outline } = source;
  const root: SectionNode = {
    start: range.start,
    ownEnd: range.end,
    depth: 0,
    parent: 0,
    hasBody: false,
    children: [],
  };
  const open = [root];
  for (const unit of outline.unitsIn(range.start, range.end)) {
    const current = open.at(-1) ?? root;
    if (unit.type !== 'heading' || unit.depth > deepest || unit.contentStart < range.start) {
      current.hasBody = true;
      continue;
    }
    const start = Math.max(unit.start, range.start);
    current.ownEnd = start;
    while ((open.at(-1)?.depth ?? 0) >= unit.depth && open.length > 1) open.pop();
    const { parent } = outline.sectionOf(unit.section);
    const node = { start, ownEnd: range.end, depth: unit.depth, parent, hasBody: false, children: [] };
    (open.at(-1) ?? root).children.push(node);
    open.push(node);
  }
  // What belongs to no block has to go somewhere, too.
  const { start, end } = source.trim({ start: root.start, end: root.ownEnd });
  root.hasBody = start < end;
  return root;
}

/**
 * The pieces that sections make, in order: one each, where small ones are joined with what stands beside them under the
 * same heading. A heading without text of its own goes with the first section inside it. Sections without a heading
 * above them are never joined; what stands before the first one may go with it.
 */
export function joinSections(root: SectionNode, sizes: JoinSizes): Range[] {
  const own = ownPiece(root);
  const sections = new Run(sizes);
  let parent = -1;
  const done: Range[] = [];
  for (const node of root.children) {
    if (node.parent === 0 || node.parent !== parent) done.push(...sections.finish());
    parent = node.parent;
    sections.add(piecesOf(node, sizes));
  }
  done.push(...sections.finish());
  return own ? withIntroduction(own, done, sizes) : done;
}

function piecesOf(node: SectionNode, sizes: JoinSizes): Range[] {
  const [first, ...others] = node.children.map((child) => piecesOf(child, sizes));
  if (!first) return [{ start: node.start, end: node.ownEnd }];
  const own = ownPiece(node);
  const run = new Run(sizes);
  if (!own) first[0] = { start: node.start, end: first[0]?.end ?? node.ownEnd };
  const begun = own && first.length > 1 ? withIntroduction(own, first, sizes) : first;
  if (own && begun === first) run.add([own]);
  run.add(begun);
  for (const other of others) run.add(other);
  return run.finish();
}

function ownPiece(node: SectionNode): Range | undefined {
  return node.hasBody ? { start: node.start, end: node.ownEnd } : undefined;
}

/** Puts a small introduction to the first of the pieces that follow it. */
function withIntroduction(own: Range, pieces: Range[], sizes: JoinSizes): Range[] {
  const [first, ...others] = pieces;
  if (!first) return [own];
  const joined = { start: own.start, end: first.end };
  return sizes.tokens(own) < sizes.least && sizes.fits(joined) ? [joined, ...others] : [own, ...pieces];
}

/** Sections side by side under one heading. Those in one piece are joined while they are small. */
class Run {
  private pieces: { range: Range; whole: boolean }[] = [];

  constructor(private readonly sizes: JoinSizes) {}

  add(section: readonly Range[]): void {
    const whole = section.length === 1;
    for (const range of section) this.push(range, whole);
  }

  finish(): Range[] {
    this.settle();
    const ranges = this.pieces.map(({ range }) => range);
    this.pieces = [];
    return ranges;
  }

  private push(range: Range, whole: boolean): void {
    const last = this.pieces.at(-1);
    if (whole && last && this.isSmall(last) && this.join(range)) return;
    if (last) this.settle();
    this.pieces.push({ range, whole });
  }

  /** Joins the last piece, if it is small, with the one before it. */
  private settle(): void {
    const last = this.pieces.at(-1);
    if (!last || !this.isSmall(last)) return;
    this.pieces.pop();
    if (!this.join(last.range)) this.pieces.push(last);
  }

  private isSmall({ range, whole }: { range: Range; whole: boolean }): boolean {
    return whole && this.sizes.tokens(range) < this.sizes.least;
  }

  /** Adds a range to the last piece if that is a whole section and both fit. */
  private join({ end }: Range): boolean {
    const last = this.pieces.at(-1);
    if (!last?.whole) return false;
    const range = { start: last.range.start, end };
    if (!this.sizes.fits(range)) return false;
    this.pieces[this.pieces.length - 1] = { range, whole: true };
    return true;
  }
}
