import { proseText } from '../../writing/pieces.js';
import type { HtmlAttributes } from './html-tags.js';
import type { Leave } from './open-elements.js';
import type { PageFlow } from './page-flow.js';

const noteTypes = /\b(?:footnote|endnote|rearnote|doc-footnote|doc-endnote)\b/;
const noteElements: ReadonlySet<string> = new Set(['aside', 'div', 'section', 'p']);
/** How a note begins that names itself. */
const ownLabel = /^\[?(?:(\d{1,4}|[*†‡§]{1,3})(?:[\].):]\s*|\s+)|([a-z])[\].):]\s*)(?=\S)/i;

/** Reads notes below the text, and marks that are raised above their line. */
export class PageNotes {
  private count = 0;
  private raised: 'mark' | 'reference' | undefined;

  constructor(private readonly flow: PageFlow) {}

  /** Begins a footnote, if the element is one. */
  beginNote(name: string, attributes: HtmlAttributes): Leave | undefined {
    const type = `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`;
    if (!noteElements.has(name) || !noteTypes.test(type)) return undefined;
    return this.flow.beginFrame((pieces) => {
      const text = proseText(pieces.map(({ piece }) => piece));
      const label = ownLabel.exec(text);
      this.count += 1;
      this.flow.push({
        kind: 'footnote',
        label: label?.[1] ?? label?.[2] ?? String(this.count),
        text: label ? text.slice(label[0].length) : text,
      });
    });
  }

  /** Begins a raised text: a power or the number of a note is no part of the number or word before it. */
  beginRaised(): Leave {
    this.raised ??= 'mark';
    return () => {
      this.raised = undefined;
    };
  }

  /** Begins a reference to a note, if the link is one. */
  beginReference(attributes: HtmlAttributes): Leave | undefined {
    const type = `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`;
    if (!/\b(?:noteref|doc-noteref)\b/.test(type)) return undefined;
    this.raised = 'reference';
    return () => {
      this.raised = undefined;
    };
  }

  /** The text as it is written: with what parts it from the text before, if it is raised. */
  before(text: string): string {
    const { raised } = this;
    if (!raised || text.trim() === '') return text;
    this.raised = undefined;
    if (raised === 'reference') return `[^${text.replace(/[\s[\]()^]/g, '')}]`;
    const { inline } = this.flow;
    const needsMark = !inline.endsWithSpace && /[\p{L}\p{N})]/u.test(inline.last) && /^[\d+−-]/.test(text);
    return needsMark ? `^${text}` : text;
  }
}
