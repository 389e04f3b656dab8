import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';
import type { Omissions } from '../../writing/omissions.js';
import { omitted } from '../ooxml/omitted.js';
import { roleByName, type StyleRole } from '../word-processing/style-roles.js';
import { listLevel, wholeNumber, type ListLevel, type ListLevels } from './list-levels.js';

interface Style {
  readonly names: readonly string[];
  readonly parent: string | undefined;
  hidden?: boolean;
}

/** No real style builds on so many others; a circle has no end. */
const longestChain = 50;
/** Of the style that marks headings. */
const outline = '';
const surroundings = /^style:(?:header|footer)(?:-left|-first)?$/;

/** Gathers the styles of a document, from all places that hold some. */
export class OdtStyles implements XmlHandler {
  private readonly styles = new Map<string, Style>();
  private readonly lists = new Map<string, Map<number, ListLevel>>();
  private style: Style | undefined;
  private levels: Map<number, ListLevel> | undefined;
  private surrounding: string | undefined;

  constructor(private readonly omissions: Omissions) {}

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style:style') this.openStyle(attributes);
    else if (name === 'style:text-properties') this.openTextProperties(attributes);
    else if (name === 'text:list-style') this.openList(attributes['style:name'] ?? '');
    else if (name === 'text:outline-style') this.openList(outline);
    else if (/^text:(?:list-level-style|outline-level-style)/.test(name)) {
      const isCounted = name === 'text:list-level-style-number' || name === 'text:outline-level-style';
      this.levels?.set(wholeNumber(attributes['text:level']) ?? 0, listLevel(attributes, isCounted));
    } else if (surroundings.test(name)) this.surrounding = '';
  }

  close(name: string): void {
    if (name === 'style:style') this.style = undefined;
    if (!surroundings.test(name) || this.surrounding === undefined) return;
    if (this.surrounding.trim() !== '') this.omissions.add(omitted.headers, { text: this.surrounding.trim() });
    this.surrounding = undefined;
  }

  text(text: string): void {
    if (this.surrounding !== undefined) this.surrounding += text;
  }

  /** What paragraphs of a style are, by its name or those that it builds on. */
  roleOf(name: string | undefined): StyleRole | undefined {
    return this.first('paragraph', name, ({ names }) => names.map(roleByName).find((role) => role));
  }

  /** Whether a style is this one or builds on it. */
  isKindOf(name: string | undefined, wanted: string): boolean {
    return this.first('paragraph', name, ({ names }) => names.includes(wanted) || undefined) ?? false;
  }

  /** Whether text of a style is hidden; undefined if the style says nothing of it. */
  isHidden(family: 'paragraph' | 'text', name: string | undefined): boolean | undefined {
    return this.first(family, name, ({ hidden }) => hidden);
  }

  levelsOf(list: string): ListLevels {
    return this.lists.get(list) ?? new Map();
  }

  get outlineLevels(): ListLevels {
    return this.levelsOf(outline);
  }

  private openStyle(attributes: XmlAttributes): void {
    const name = attributes['style:name'] ?? '';
    const shown = attributes['style:display-name'];
    this.style = { names: [spoken(name), ...(shown ? [shown] : [])], parent: attributes['style:parent-style-name'] };
    this.styles.set(`${attributes['style:family'] ?? ''} ${name}`, this.style);
  }

  private openTextProperties(attributes: XmlAttributes): void {
    const display = attributes['text:display'];
    if (this.style && display !== undefined) this.style.hidden = display === 'none';
  }

  private openList(name: string): void {
    this.levels = new Map();
    this.lists.set(name, this.levels);
  }

  /** What the nearest style of a chain says. */
  private first<Said>(
    family: string,
    name: string | undefined,
    say: (style: Style) => Said | undefined,
  ): Said | undefined {
    let next = name;
    for (let i = 0; next !== undefined && i < longestChain; i += 1) {
      const style: Style = this.styles.get(`${family} ${next}`) ?? { names: [spoken(next)], parent: undefined };
      const said = say(style);
      if (said !== undefined) return said;
      next = style.parent;
    }
    return undefined;
  }
}

/** Names are written with the codes of what names in XML cannot hold: `Heading_20_1`. */
function spoken(name: string): string {
  return name.replace(/_([0-9a-f]{2,4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
