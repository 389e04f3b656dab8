import { elementIn, elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import { valueOf, wholeNumber } from '../ooxml/values.js';

/** How one level of a list looks and counts. */
export interface ListLevel {
  readonly start: number;
  readonly format: string;
  /** With `%1` … `%9` for the numbers of its levels. */
  readonly text: string;
  /** The level, counted from 1, after whose items it begins anew; 0 for never; any outer one where it is undefined. */
  readonly restartsAfter?: number;
  /** Shows the numbers of all levels in plain digits. */
  readonly isLegal: boolean;
  readonly style?: string;
}

/** A list by the number that paragraphs give for it. Lists of one `counter` go on counting where another left off. */
export interface ListDefinition {
  readonly counter: string;
  readonly levels: ReadonlyMap<number, ListLevel>;
  /** Levels at which this list begins anew when it is first used. */
  readonly restarts: ReadonlyMap<number, number>;
}

/** Word has nine. */
export const mostLevels = 9;

/** The lists of a document. */
export class Numbering {
  private readonly lists = new Map<number, ListDefinition>();

  constructor(root?: XmlElement) {
    if (!root) return;
    const abstracts = new Map(
      elementsIn(root, 'w:abstractNum').map((one) => [one.attributes['w:abstractNumId'] ?? '', one]),
    );
    const byStyle = new Map([...abstracts].map(([id, one]) => [valueAt(one, 'w:styleLink') ?? '', id]));
    for (const num of elementsIn(root, 'w:num')) {
      const id = wholeNumber(num.attributes['w:numId']);
      const named = valueAt(num, 'w:abstractNumId') ?? '';
      const link = abstracts.get(named) && valueAt(abstracts.get(named)!, 'w:numStyleLink');
      const counter = (link === undefined ? undefined : byStyle.get(link)) ?? named;
      const abstract = abstracts.get(counter);
      if (id !== undefined && abstract) this.lists.set(id, define(num, abstract, counter));
    }
  }

  list(id: number): ListDefinition | undefined {
    return this.lists.get(id);
  }

  /** The level of a list that belongs to a style. */
  levelOfStyle(id: number, style: string | undefined): number | undefined {
    const levels = [...(this.lists.get(id)?.levels ?? [])];
    return style === undefined ? undefined : levels.find(([, level]) => level.style === style)?.[0];
  }
}

function define(num: XmlElement, abstract: XmlElement, counter: string): ListDefinition {
  const levels = new Map(elementsIn(abstract, 'w:lvl').map(readLevel).filter(isLevel));
  const restarts = new Map<number, number>();
  for (const override of elementsIn(num, 'w:lvlOverride')) {
    const own = elementIn(override, 'w:lvl');
    const replaced = own && readLevel(own);
    if (replaced && isLevel(replaced)) levels.set(...replaced);
    const start = wholeNumber(valueAt(override, 'w:startOverride'));
    const level = wholeNumber(override.attributes['w:ilvl']);
    if (start !== undefined && level !== undefined) restarts.set(level, start);
  }
  return { counter, levels, restarts };
}

function readLevel(element: XmlElement): [number, ListLevel] {
  const restartsAfter = wholeNumber(valueAt(element, 'w:lvlRestart'));
  const style = valueAt(element, 'w:pStyle');
  const legal = elementIn(element, 'w:isLgl');
  const level = {
    start: wholeNumber(valueAt(element, 'w:start')) ?? 0,
    format: valueAt(element, 'w:numFmt') ?? 'decimal',
    text: valueAt(element, 'w:lvlText') ?? '',
    isLegal: legal !== undefined && valueOf(legal.attributes) !== '0',
    ...(restartsAfter === undefined ? {} : { restartsAfter }),
    ...(style === undefined ? {} : { style }),
  };
  return [wholeNumber(element.attributes['w:ilvl']) ?? 0, level];
}

/** Word knows no others; a file may hold any number of them. */
function isLevel([level]: [number, ListLevel]): boolean {
  return level >= 0 && level < mostLevels;
}

function valueAt(parent: XmlElement, name: string): string | undefined {
  const element = elementIn(parent, name);
  return element && valueOf(element.attributes);
}
