import type { Box, PageRules, Rule } from '../content/page-content.js';

/** A grid of ruled lines: where its columns and rows meet, and which neighbours no line parts. */
export interface Grid extends Box {
  /** Edges of columns, from left to right. */
  readonly xs: readonly number[];
  /** Edges of rows, from top to bottom. */
  readonly ys: readonly number[];
  /** For each row and column, the cell that it belongs to: itself, or the first of those it is merged with. */
  readonly cells: readonly (readonly number[])[];
}

/** Lines that may rule a table. */
export type TableRules = Pick<PageRules, 'level' | 'upright'>;

/** Points that lines which meet may miss each other by. */
const slack = 2.5;
/** Part of a cell's side that must be drawn to part it from its neighbour. */
const drawn = 0.6;
/** More crossings than this are a drawing. */
const mostPairs = 1_000_000;
const mostCells = 20_000;

/** Grids of at least two columns and two rows that lines on a page form; one within another belongs to its cell. */
export function gridsOf(rules: TableRules): Grid[] {
  const [level, upright] = [mergeRules(rules.level), mergeRules(rules.upright)];
  if (level.length * upright.length > mostPairs) return [];
  const grids = groupsOf(level, upright).flatMap(([levels, uprights]) => gridOf(levels, uprights) ?? []);
  const outer = grids.filter((grid) => !grids.some((other) => other !== grid && contains(other, grid)));
  return outer.sort((a, b) => a.top - b.top);
}

/** Lines that continue each other as one. */
function mergeRules(rules: readonly Rule[]): Rule[] {
  const merged: { at: number; from: number; to: number }[] = [];
  const sorted = [...rules].sort((a, b) => Math.round(a.at) - Math.round(b.at) || a.from - b.from);
  for (const { at, from, to } of sorted) {
    const last = merged.at(-1);
    if (last && Math.abs(last.at - at) <= 1.5 && from <= last.to + slack && to >= last.from - slack) {
      last.from = Math.min(last.from, from);
      last.to = Math.max(last.to, to);
    } else merged.push({ at, from, to });
  }
  return merged;
}

/** Lines that hang together by crossing or touching. */
function groupsOf(level: readonly Rule[], upright: readonly Rule[]): [Rule[], Rule[]][] {
  const parent = Array.from({ length: level.length + upright.length }, (_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] = parent[parent[at] ?? at] ?? at;
    return at;
  };
  for (const [i, across] of level.entries()) {
    for (const [j, down] of upright.entries()) {
      if (meet(across, down)) parent[root(i)] = root(level.length + j);
    }
  }
  const groups = new Map<number, [Rule[], Rule[]]>();
  const add = (rule: Rule, i: number, kind: 0 | 1): void => {
    const group = groups.get(root(i)) ?? [[], []];
    group[kind].push(rule);
    groups.set(root(i), group);
  };
  level.forEach((rule, i) => add(rule, i, 0));
  upright.forEach((rule, i) => add(rule, level.length + i, 1));
  return [...groups.values()];
}

function meet(level: Rule, upright: Rule): boolean {
  return (
    level.at >= upright.from - slack &&
    level.at <= upright.to + slack &&
    upright.at >= level.from - slack &&
    upright.at <= level.to + slack
  );
}

/** Tables often have no lines at their outer sides; there the others end. */
function gridOf(level: readonly Rule[], upright: readonly Rule[]): Grid | undefined {
  if (level.length < 2 || upright.length === 0) return undefined;
  const xs = edgesOf(upright, level);
  const ys = edgesOf(level, upright);
  if (xs.length < 3 || ys.length < 3 || xs.length * ys.length > mostCells) return undefined;
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  return { left, right, top, bottom, xs, ys, cells: mergedCells(xs, ys, level, upright) };
}

function edgesOf(rules: readonly Rule[], crossing: readonly Rule[]): number[] {
  const ends = crossing.flatMap(({ from, to }) => [from, to]);
  const places = [...rules.map(({ at }) => at), Math.min(...ends), Math.max(...ends)].sort((a, b) => a - b);
  const edges: number[] = [];
  for (const place of places) {
    if (edges.length === 0 || place - (edges.at(-1) ?? 0) > 2 * slack) edges.push(place);
  }
  return edges;
}

function mergedCells(
  xs: readonly number[],
  ys: readonly number[],
  level: readonly Rule[],
  upright: readonly Rule[],
): number[][] {
  const columns = xs.length - 1;
  const cells: number[][] = [];
  for (let row = 0; row + 1 < ys.length; row += 1) {
    const own: number[] = [];
    cells.push(own);
    for (let column = 0; column < columns; column += 1) {
      const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[column], xs[column + 1], ys[row], ys[row + 1]];
      const above = cells[row - 1]?.[column];
      const before = own[column - 1];
      if (before !== undefined && !isDrawn(upright, x0, y0, y1)) own.push(before);
      else if (above !== undefined && !isDrawn(level, y0, x0, x1)) own.push(above);
      else own.push(row * columns + column);
    }
  }
  return cells;
}

function isDrawn(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  let length = 0;
  for (const rule of rules) {
    if (Math.abs(rule.at - at) > 2 * slack) continue;
    length += Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from));
  }
  return length >= drawn * (to - from);
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.left <= inner.left + slack &&
    outer.right >= inner.right - slack &&
    outer.top <= inner.top + slack &&
    outer.bottom >= inner.bottom - slack
  );
}
