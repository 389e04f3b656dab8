import { joinTexts } from '../layout/join-lines.js';
import type { LaidBlock, TextBlock } from '../layout/laid-block.js';
import { roundSize } from './body-setting.js';

/** A block and the page that it begins on. */
export interface PlacedBlock {
  readonly page: number;
  readonly block: LaidBlock;
}

const ended = /[.!?。！？…:;：；]["”’»）)\]]*$/u;
/** The line of a table of contents or an index. */
const listed = /(?:\.\s?){5,}\s*\S+$/;
const longestEnd = 60;
const wide = /[\u2e80-\u9fff\p{Script=Han}]/u;

/**
 * Joins texts that a new column or page parted: the end of the one fills its line and ends no sentence, the other goes
 * on within one. What stands at the foot between them stays where it is.
 */
export function joinAcross(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  const joined: PlacedBlock[] = [];
  /** Where the last text of the body is in `joined`. */
  let last = -1;
  for (const placed of blocks) {
    const { block, page } = placed;
    const before = joined[last];
    if (
      before?.block.kind === 'text' &&
      block.kind === 'text' &&
      page - before.page <= 1 &&
      goesOn(before.block, block)
    ) {
      const text = joinTexts(before.block.text, block.text);
      const whole: TextBlock = {
        ...before.block,
        text,
        isFull: block.isFull,
        lineCount: before.block.lineCount + block.lineCount,
      };
      joined[last] = { page: before.page, block: whole };
      continue;
    }
    joined.push(placed);
    if (block.kind === 'table' || !block.isAtFoot) last = joined.length - 1;
  }
  return joined;
}

function goesOn(before: TextBlock, block: TextBlock): boolean {
  if (before.isMono || block.isMono || block.mark || block.isAtFoot || block.isIndented) return false;
  if (!block.isColumnStart || !before.isFull) return false;
  if (roundSize(before.size) !== roundSize(block.size) || before.weight !== block.weight) return false;
  const end = before.text.slice(-longestEnd);
  if (ended.test(end) || listed.test(end)) return false;
  return /^[\p{Ll}(,]/u.test(block.text) || (wide.test(before.text.slice(-1)) && wide.test(block.text.slice(0, 1)));
}
