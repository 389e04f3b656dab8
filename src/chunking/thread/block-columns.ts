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
  const blocks: Block[] = [];
  const at = (index: number): number => columns[index] ?? absent;
  for (let index = 0; index < columns.length; index += width) {
    const block: { -readonly [Name in keyof Block]: Block[Name] } = {
      type: blockTypes[at(index)] ?? 'paragraph',
      charStart: at(index + 2),
      charEnd: at(index + 3),
    };
    if (at(index + 1) !== absent) block.depth = at(index + 1);
    if (at(index + 4) !== absent) block.page = at(index + 4);
    blocks.push(block);
  }
  return blocks;
}
