import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes } from 'mdast';
import type { BlockType } from '../domain/text/block.js';

/** A block by its lines, from 0, the last one included. */
export interface LineBlock {
  readonly type: BlockType;
  readonly depth?: number;
  readonly first: number;
  readonly last: number;
}

interface Owner {
  readonly type: BlockType;
  readonly depth?: number;
  /** Where this one ends the next may go on: a link definition and the paragraph under it are one. */
  readonly joinsNext?: boolean;
}

interface Place {
  readonly owner: Owner | undefined;
  readonly nestsItems: boolean;
  readonly holdsQuote: boolean;
  /** First lines of the items and footnotes around. */
  readonly itemLines: readonly number[];
}

const ownTypes: Readonly<Record<string, BlockType>> = {
  heading: 'heading',
  paragraph: 'paragraph',
  definition: 'paragraph',
  code: 'code',
  html: 'html',
  table: 'table',
  thematicBreak: 'thematicBreak',
  yaml: 'frontMatter',
  toml: 'frontMatter',
};

/** The blocks that the rules of `parseMarkdown` make of the tree that micromark and mdast give for the same text. */
export function referenceBlocks(text: string): LineBlock[] {
  const tree = fromMarkdown(text, {
    extensions: [gfm(), frontmatter(['yaml', 'toml'])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml', 'toml'])],
  });
  const owners = new Map<number, Owner>();
  walk(tree, { owner: undefined, nestsItems: true, holdsQuote: false, itemLines: [] }, owners);
  return joinLines(text, owners);
}

function walk(node: Nodes, place: Place, owners: Map<number, Owner>): void {
  const first = (node.position?.start.line ?? 1) - 1;
  const last = (node.position?.end.line ?? 1) - 1;
  const type = ownTypes[node.type];
  if (type) {
    const owner = leafOwner(type, node.type === 'heading' ? node.depth : undefined, first, place);
    for (let line = first; line <= last; line += 1) owners.set(line, owner);
    return;
  }
  const inner = innerPlace(node, first, place);
  if (inner !== place && inner.owner) for (let line = first; line <= last; line += 1) owners.set(line, inner.owner);
  if ('children' in node) for (const child of node.children) walk(child, inner, owners);
}

function leafOwner(type: BlockType, depth: number | undefined, first: number, place: Place): Owner {
  const isOwn = type === 'code' || (type === 'table' && !place.holdsQuote);
  if (place.owner && (!isOwn || place.itemLines.includes(first))) return place.owner;
  return { type, ...(depth === undefined ? {} : { depth }), joinsNext: type === 'paragraph' };
}

function innerPlace(node: Nodes, first: number, place: Place): Place {
  const { owner, holdsQuote } = place;
  switch (node.type) {
    case 'blockquote':
      return { ...place, owner: owner ?? { type: 'quote' }, nestsItems: false, holdsQuote: true };
    case 'listItem': {
      const itemLines = [...place.itemLines, first];
      if (!place.nestsItems) return { ...place, itemLines };
      return { owner: { type: 'listItem', depth: (owner?.depth ?? 0) + 1 }, nestsItems: true, holdsQuote, itemLines };
    }
    case 'footnoteDefinition':
      return {
        owner: owner ?? { type: 'paragraph' },
        nestsItems: false,
        holdsQuote,
        itemLines: [...place.itemLines, first],
      };
    default:
      return place;
  }
}

/** Blank lines belong to nobody, but do not part what has one owner. */
function joinLines(text: string, owners: ReadonlyMap<number, Owner>): LineBlock[] {
  const blocks: { readonly owner: Owner; readonly first: number; last: number }[] = [];
  for (const [line, content] of text.split('\n').entries()) {
    const owner = owners.get(line);
    if (!/\S/.test(content) || !owner) continue;
    const previous = blocks.at(-1);
    const isOne = previous?.owner === owner || (previous?.last === line - 1 && areJoined(previous.owner, owner));
    if (previous && isOne) previous.last = line;
    else blocks.push({ owner, first: line, last: line });
  }
  return blocks.map(({ owner: { type, depth }, first, last }) => ({
    type,
    ...(depth === undefined ? {} : { depth }),
    first,
    last,
  }));
}

function areJoined(a: Owner, b: Owner): boolean {
  return a.joinsNext === true && b.joinsNext === true;
}
