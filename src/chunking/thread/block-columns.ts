import { blockTypes, type Block } from '../../domain/text/block.js';

const width = 5;
const absent = -1;

/** Blocks as one array of integers, which passes between threads without being copied. */
export function packBlocks(blocks: readonly Block[]): Int32Array {
  const columns = new Int32Array(blocks.length * width);
  blocks.forEach(({ type, depth, charStart, charEnd, page }, index) => {
    const at = index * width;
    columns[at] = blockTypes.indexOf(type);
    columns[at + 1] = depth ?? absent;
    columns[at + 2] = charStart;
    columns[at + 3] = charEnd;
    columns[at + 4] = page ?? absent;
  });
  return columns;
}

/** The blocks that {@link packBlocks} was given. */
export function unpackBlocks(columns: Int32Array): Block[] {
  return Array.from({ length: columns.length / width }, (_, index): Block => {
    const [type = 0, depth = absent, charStart = 0, charEnd = 0, page = absent] = columns.subarray(index * width);
    return {
      type: blockTypes[type] ?? 'paragraph',
      ...(depth === absent ? {} : { depth }),
      charStart,
      charEnd,
      ...(page === absent ? {} : { page }),
    };
  });
}
