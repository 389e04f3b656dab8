import type { PackedBlocks } from '../packed-blocks.js';
import { BlockList } from './block-list.js';
import { BlockScanner } from './block-scanner.js';
import { frontMatterEnd } from './front-matter.js';

/**
 * Structure of a normalised Markdown text: CommonMark with GFM tables, footnotes and front matter, as a flat list that
 * holds every character which is not white space. Blocks begin and end with text and take whole lines.
 *
 * - `heading` is `#` and underlined headings, with its level; `table`, `code`, `html`, `thematicBreak` and `frontMatter`
 *   are whole, a fence with its marks, an unclosed one to the end of its container.
 * - `listItem` is an item's own text with its mark; items inside it follow as blocks of their own, one deeper. Text that
 *   goes on behind them, or behind code or a table in the item, is a further `listItem` of the same depth.
 * - `quote` is a whole quote, with headings, lists and tables in it: they do not structure the document around it.
 * - Code is a block of its own wherever it is, and so is a table in a list, unless they share the line of an item's mark.
 * - Footnotes and link reference definitions are `paragraph`.
 * - Containers more than 100 deep are read as text.
 *
 * Takes time in proportion to the length of the text. It reads lines itself because no parser at hand does: micromark
 * builds several objects a line, took 4–7 s per MB in small pieces and a minute for a whole MB with tables. Its outcome
 * is what the tests compare with.
 *
 * @param mostBlocks a text with more is refused.
 * @throws AppError TOO_LARGE
 */
export function parseMarkdown(text: string, mostBlocks: number): PackedBlocks {
  const blocks = new BlockList(text, mostBlocks);
  const frontMatter = frontMatterEnd(text);
  if (frontMatter > 0) blocks.add({ type: 'frontMatter' }, 0, frontMatter);
  new BlockScanner(text, blocks).scan(frontMatter === 0 ? 0 : frontMatter + 1);
  return blocks.toPacked();
}
