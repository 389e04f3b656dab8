import { blockTypes, type Block } from '../../domain/text/block.js';

/** Blocks as numbers: between processes hundreds of thousands of objects would take seconds. */
export type PackedBlocks = Int32Array;

/** Type, depth, start, end, page; 0 for what a block has not. */
export const numbersEach = 5;

/** Packs blocks; `unpackBlocks` gives the same ones. */
export function packBlocks(blocks: readonly Block[]): PackedBlocks {
  const packed = new Int32Array(blocks.length * numbersEach);
  for (const [i, { type, depth = 0, charStart, charEnd, page = 0 }] of blocks.entries()) {
    packed.set([blockTypes.indexOf(type), depth, charStart, charEnd, page], i * numbersEach);
  }
  return packed;
}

/** @throws RangeError for numbers that no block was packed into. */
export function unpackBlocks(packed: PackedBlocks): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < packed.length; at += numbersEach) {
    const [type = -1, depth = 0, charStart = 0, charEnd = 0, page = 0] = packed.subarray(at, at + numbersEach);
    const name = blockTypes[type];
    if (name === undefined) throw new RangeError(`no block type has the number ${type}`);
    blocks.push({ type: name, ...(depth ? { depth } : {}), charStart, charEnd, ...(page ? { page } : {}) });
  }
  return blocks;
}
