import { elementIn, elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import { isOn, valueOf, wholeNumber } from '../ooxml/values.js';
import { roleByName, type StyleRole } from '../word-processing/style-roles.js';

/** What a style, with those that it builds on, makes of a paragraph or a run. */
export interface StyleEffect {
  /** What its paragraphs are; text where that is undefined. */
  readonly role?: StyleRole;
  readonly numId?: number;
  readonly listLevel?: number;
  readonly hidden?: boolean;
  /** Of a table: its first row looks different from the others. */
  readonly marksFirstRow?: boolean;
}

/** Outline level that stands for plain text. */
const bodyOutline = 9;
/** No real style builds on so many others; a circle has no end. */
const longestChain = 50;

/** The styles of a document. */
export class Styles {
  private readonly byId = new Map<string, XmlElement>();
  private readonly effects = new Map<string, StyleEffect>();
  private readonly defaultParagraph: string | undefined;

  constructor(root?: XmlElement) {
    for (const style of root ? elementsIn(root, 'w:style') : []) {
      const { 'w:styleId': id = '', 'w:type': type, 'w:default': standard } = style.attributes;
      if (!this.byId.has(id)) this.byId.set(id, style);
      if (type === 'paragraph' && standard !== undefined && isOn(standard)) this.defaultParagraph ??= id;
    }
  }

  /** What a style makes of a paragraph; the default one where it names none. */
  ofParagraph(id: string | undefined): StyleEffect {
    return this.effectOf(id ?? this.defaultParagraph);
  }

  effectOf(id: string | undefined): StyleEffect {
    if (id === undefined) return {};
    const known = this.effects.get(id);
    if (known) return known;
    const effect = this.byId.has(id) ? this.inherited(id) : asGiven({ role: roleByName(id) });
    this.effects.set(id, effect);
    return effect;
  }

  /** The nearest style that says anything about a thing decides it. */
  private inherited(id: string): StyleEffect {
    let effect: StyleEffect = {};
    const seen = new Set<string>();
    for (let next: string | undefined = id; next !== undefined && !seen.has(next) && seen.size < longestChain;) {
      seen.add(next);
      const style = this.byId.get(next);
      if (!style) break;
      effect = { ...ownEffect(style), ...effect };
      next = valueAt(style, 'w:basedOn');
    }
    return effect;
  }
}

function ownEffect(style: XmlElement): StyleEffect {
  const outline = wholeNumber(valueAt(style, 'w:outlineLvl'));
  const hidden = elementIn(style, 'w:vanish');
  const firstRow = elementsIn(style, 'w:tblStylePr').some(({ attributes }) => attributes['w:type'] === 'firstRow');
  return asGiven({
    role: outline === undefined ? roleByName(valueAt(style, 'w:name') ?? '') : outlineRole(outline),
    numId: wholeNumber(valueAt(style, 'w:numId')),
    listLevel: wholeNumber(valueAt(style, 'w:ilvl')),
    hidden: hidden && isOn(valueOf(hidden.attributes)),
    marksFirstRow: firstRow || undefined,
  });
}

/** What an outline level makes of a paragraph. */
export function outlineRole(outline: number): StyleRole {
  return outline >= 0 && outline < bodyOutline ? { type: 'heading', level: outline + 1 } : { type: 'text' };
}

function valueAt(style: XmlElement, name: string): string | undefined {
  const element = elementIn(style, name);
  return element && valueOf(element.attributes);
}

function asGiven(effect: { [Key in keyof StyleEffect]: StyleEffect[Key] | undefined }): StyleEffect {
  return Object.fromEntries(Object.entries(effect).filter(([, value]) => value !== undefined));
}
