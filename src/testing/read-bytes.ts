import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackBlocks } from '../documents/parsing/packed-blocks.js';
import type { ReadLimits } from '../documents/parsing/read-limits.js';
import { readSource, type SourceDescription } from '../documents/parsing/read-source.js';
import { SourceFile } from '../documents/parsing/source-file.js';
import type { ParsedText } from '../domain/text/block.js';

/** Wide enough for every test that is not about a limit. */
export const testReadLimits: ReadLimits = {
  textChars: 10_000_000,
  blocks: 500_000,
  pages: 5_000,
  depth: 500,
  entries: 1_000,
  inflatedBytes: 256 * 1024 * 1024,
  inflateRatio: 500,
};

/** Bytes as a file for a while. */
export async function withFile<Result>(
  content: Uint8Array | string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'indexwright-source-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, content);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads bytes as an upload of this name would be read, in this process. */
export function readBytes(
  content: Uint8Array | string,
  described: SourceDescription,
  limits: Partial<ReadLimits> = {},
): Promise<ParsedText> {
  return withFile(content, async (path) => {
    const file = await SourceFile.open(path);
    try {
      const read = await readSource(file, described, { ...testReadLimits, ...limits });
      return { ...read, blocks: unpackBlocks(read.blocks) };
    } finally {
      await file.close();
    }
  });
}
