import type { PdfDocument } from '../library/open-pdf.js';

/** What an outline says: titles, and how deep each stands from 1. */
export interface OutlineEntry {
  readonly title: string;
  readonly depth: number;
}

/** More than any reader scrolls through. */
const mostEntries = 20_000;

interface OutlineNode {
  readonly title?: unknown;
  readonly items?: unknown;
}

/** The bookmarks of a document in their order; none if it has none that make sense. */
export async function outlineOf(document: PdfDocument): Promise<OutlineEntry[]> {
  const roots: unknown = await document.getOutline().catch(() => undefined);
  if (!Array.isArray(roots)) return [];
  const entries: OutlineEntry[] = [];
  const waiting = (roots as OutlineNode[]).map((node) => ({ node, depth: 1 })).reverse();
  for (let next = waiting.pop(); next !== undefined && entries.length < mostEntries; next = waiting.pop()) {
    const { node, depth } = next;
    if (typeof node.title === 'string') entries.push({ title: node.title, depth });
    if (!Array.isArray(node.items)) continue;
    for (const item of [...(node.items as OutlineNode[])].reverse()) waiting.push({ node: item, depth: depth + 1 });
  }
  return entries;
}

/** Finds the entry of an outline that a text is the title of; each is found once. */
export class OutlineTitles {
  private readonly depths = new Map<string, number[]>();

  constructor(entries: readonly OutlineEntry[]) {
    for (const { title, depth } of entries) {
      const same = this.depths.get(bareTitle(title));
      if (same) same.push(depth);
      else this.depths.set(bareTitle(title), [depth]);
    }
    this.depths.delete('');
  }

  /** The depth of the next entry with this title. */
  take(text: string): number | undefined {
    return this.depths.get(bareTitle(text))?.shift();
  }
}

/** Letters and digits alone: outlines and pages differ in the blanks and dots of their titles. */
function bareTitle(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
