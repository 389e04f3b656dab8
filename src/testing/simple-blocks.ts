import type { Block, BlockType } from '../domain/text/block.js';

interface Shape {
  readonly type: BlockType;
  readonly depth?: number;
}

/**
 * The blocks of a Markdown text that keeps to the plain forms: `#` headings, fences and table rows at line starts,
 * list items on one line. Enough structure for tests of what is done with blocks, with no parser in between.
 */
export function simpleBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { shape: Shape; start: number; end: number } | undefined;
  let fence = '';
  let at = 0;
  const close = (): void => {
    if (open) blocks.push({ ...open.shape, charStart: open.start, charEnd: open.end });
    open = undefined;
  };
  for (const line of text.split('\n')) {
    const length = Array.from(line).length;
    const indent = Array.from(/^\s*/.exec(line)?.[0] ?? '').length;
    const start = at + indent;
    const end = at + Array.from(line.trimEnd()).length;
    at += length + 1;
    if (fence !== '') {
      if (open && end > start) open.end = end;
      if (line.trim() === fence) {
        fence = '';
        close();
      }
      continue;
    }
    if (end <= start) {
      close();
      continue;
    }
    const shape = shapeOf(line);
    if (!open || !continues(open.shape, shape)) close();
    open ??= { shape, start, end };
    open.end = end;
    if (shape.type === 'code') fence = /^(`{3,}|~{3,})/.exec(line.trim())?.[0] ?? '';
    if (shape.type === 'heading' || shape.type === 'listItem') close();
  }
  close();
  return blocks;
}

function continues(open: Shape, next: Shape): boolean {
  return open.type === next.type && (open.type === 'paragraph' || open.type === 'table' || open.type === 'quote');
}

function shapeOf(line: string): Shape {
  const heading = /^(#{1,6})\s/.exec(line);
  if (heading) return { type: 'heading', depth: heading[1]?.length ?? 1 };
  if (/^\s*(`{3,}|~{3,})/.test(line)) return { type: 'code' };
  if (line.startsWith('|')) return { type: 'table' };
  if (line.startsWith('>')) return { type: 'quote' };
  const item = /^(\s*)(?:[-*+]|\d+[.)])\s/.exec(line);
  if (item) return { type: 'listItem', depth: ((item[1]?.length ?? 0) >> 1) + 1 };
  return { type: 'paragraph' };
}
