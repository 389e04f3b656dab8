import type { PageContent, PageRules, Rule, TextPiece, TurnedText } from '../content/page-content.js';
import { alignedTable, rowsOf } from './aligned-table.js';
import { readingParts, type Flowing } from './columns.js';
import type { LaidBlock, TextBlock } from './laid-block.js';
import type { Line } from './line.js';
import { withDrawnBullets } from './drawn-bullets.js';
import { flowOf } from './line-flow.js';
import type { PitchMemory } from './pitch-memory.js';
import { paragraphsOf } from './paragraphs.js';
import { linesOf } from './rows.js';
import { ruledTables, type FoundTable } from './ruled-tables.js';
import type { TableRules } from './grid.js';

/** Texts smaller than the usual size of a page by this stand at its foot as notes. */
const noteSize = 0.95;
/** Part of a page below which a part that holds nothing but small text is its foot. */
const footFrom = 0.6;

/** Lines of a part that may begin a table; more are a drawing. */
const mostTries = 60;

/** Lines without a table between them, or a table. */
type Stretch = readonly Line[] | FoundTable;

/**
 * The blocks of a page in the order in which they are read. Text that runs in another direction than most of the page
 * comes after the rest.
 */
export function layoutPage(content: PageContent, left: ReadonlySet<TextPiece>, pitches: PitchMemory): LaidBlock[] {
  const texts = content.texts.map(({ angle, pieces }) => ({
    angle,
    pieces: pieces.filter((piece) => !left.has(piece)),
  }));
  const letters = ({ pieces }: TurnedText): number => pieces.reduce((sum, { text }) => sum + text.length, 0);
  const inOrder = texts.filter(({ pieces }) => pieces.length > 0).sort((a, b) => letters(b) - letters(a));
  return inOrder.flatMap((text) => layoutText(text, content, pitches));
}

function layoutText({ angle, pieces }: TurnedText, content: PageContent, pitches: PitchMemory): LaidBlock[] {
  const marked = angle === 0 ? withDrawnBullets(pieces, content.rules.dots) : pieces;
  const { tables, others } = ruledTables(marked, turnRules(content.rules, angle));
  const parts = readingParts<TextPiece | FoundTable>([...others, ...tables]).map(stretchesOf);
  for (const lines of parts.flat().filter(isLines)) pitches.note(flowOf(lines));
  const size = usualSize(pieces);
  const foot = angle === 0 ? footFrom * content.height : Infinity;
  return parts.flatMap((part) => {
    const blocks = part.flatMap((stretch) => (isLines(stretch) ? blocksOf(stretch, pitches) : tableBlock(stretch)));
    return markPlaces(blocks, size, topOf(part) > foot);
  });
}

function tableBlock({ rows }: FoundTable): LaidBlock {
  return { kind: 'table', rows };
}

function topOf(part: readonly Stretch[]): number {
  const tops = part.map((stretch) => (isLines(stretch) ? (stretch[0]?.baseline ?? Infinity) : stretch.top));
  return Math.min(...tops);
}

function isLines(stretch: Stretch): stretch is readonly Line[] {
  return !('rows' in stretch);
}

/** Lines and tables of a part from top to bottom. */
function stretchesOf(items: readonly (TextPiece | FoundTable)[]): Stretch[] {
  const tables = items.filter((item): item is FoundTable => 'rows' in item).sort((a, b) => a.top - b.top);
  const lines = linesOf(items.filter((item): item is TextPiece => !('rows' in item)));
  const stretches: Stretch[] = [];
  let from = 0;
  for (const table of tables) {
    const to = lines.findIndex((line, i) => i >= from && line.baseline > table.top);
    const end = to < 0 ? lines.length : to;
    stretches.push(lines.slice(from, end), table);
    from = end;
  }
  stretches.push(lines.slice(from));
  return stretches.filter((stretch) => !isLines(stretch) || stretch.length > 0);
}

/** Texts and tables that no lines rule. */
function blocksOf(lines: readonly Line[], pitches: PitchMemory): LaidBlock[] {
  const rows = rowsOf(lines);
  const blocks: LaidBlock[] = [];
  let waiting: Line[] = [];
  const flush = (): void => {
    blocks.push(...paragraphsOf(flowOf(waiting), pitches));
    waiting = [];
  };
  let tries = 0;
  for (let i = 0; i < rows.length;) {
    if ((rows[i]?.cells.length ?? 0) > 1) tries += 1;
    const table = tries <= mostTries ? alignedTable(rows, i) : undefined;
    if (table) {
      flush();
      blocks.push({ kind: 'table', rows: table.rows.map((texts) => ({ cells: texts.map((text) => ({ text })) })) });
      i += table.lineCount;
    } else {
      waiting.push(...lines.slice(i, i + 1));
      i += 1;
    }
  }
  flush();
  return blocks;
}

/** Marks the first text of a part, and the small texts that it ends with, or consists of at the foot of the page. */
function markPlaces(blocks: readonly LaidBlock[], size: number, isFoot: boolean): LaidBlock[] {
  const isSmall = (block: LaidBlock): block is TextBlock => block.kind === 'text' && block.size < noteSize * size;
  const foot = blocks.findLastIndex((block) => !isSmall(block)) + 1;
  return blocks.map((block, i) => {
    if (block.kind !== 'text') return block;
    return { ...block, isColumnStart: i === 0, isAtFoot: i >= foot && (foot > 0 || isFoot) };
  });
}

/** The size of most letters. */
function usualSize(pieces: readonly Flowing[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of pieces) {
    const rounded = Math.round(size * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [10, 0])[0];
}

/** Ruled lines in the frame of a text that is turned by quarters; others rule no table. */
function turnRules({ level, upright }: PageRules, angle: number): TableRules {
  const mirror = ({ at, from, to }: Rule): Rule => ({ at: -at, from: -to, to: -from });
  const across = ({ at, from, to }: Rule): Rule => ({ at, from: -to, to: -from });
  switch (((angle % 360) + 360) % 360) {
    case 0:
      return { level, upright };
    case 90:
      return { level: upright.map(({ at, from, to }) => ({ at: -at, from, to })), upright: level.map(across) };
    case 180:
      return { level: level.map(mirror), upright: upright.map(mirror) };
    case 270:
      return { level: upright.map(across), upright: level.map(({ at, from, to }) => ({ at: -at, from, to })) };
    default:
      return { level: [], upright: [] };
  }
}
