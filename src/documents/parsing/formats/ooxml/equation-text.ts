import type { XmlAttributes } from '../../containers/xml-events.js';
import type { XmlElement } from '../../containers/xml-tree.js';

/** An element of an equation with the texts of its parts. */
interface Part {
  readonly name: string;
  text: string;
  readonly parts: Part[];
  /** Values of its properties, such as the character of a sum. */
  readonly properties: Map<string, string>;
}

/** Puts an equation of Office Math on one line, as people type it: `(a + b)/2`, `x^2`, `√(x)`, `∑_(i=1)^n i`. */
export class EquationText {
  private readonly open: Part[] = [];

  get isOpen(): boolean {
    return this.open.length > 0;
  }

  enter(name: string, attributes: XmlAttributes): void {
    const value = attributes['m:val'];
    if (value !== undefined) this.open.at(-2)?.properties.set(name, value);
    this.open.push({ name, text: '', parts: [], properties: new Map() });
  }

  write(text: string): void {
    const part = this.open.at(-1);
    if (part) part.text += text;
  }

  /** @returns the whole equation where it ends with this element, else nothing */
  leave(): string {
    const part = this.open.pop();
    if (!part) return '';
    const text = written(part);
    const parent = this.open.at(-1);
    if (!parent) return text;
    parent.parts.push({ ...part, text });
    parent.text += text;
    return '';
  }
}

type Form = (of: (name: string) => string, part: Part) => string;

const script = (mark: string, text: string): string => (text === '' ? '' : `${mark}${grouped(text)}`);

const forms: Readonly<Record<string, Form>> = {
  'm:f': (of) => `${grouped(of('m:num'))}/${grouped(of('m:den'))}`,
  'm:sSup': (of) => `${of('m:e')}${script('^', of('m:sup'))}`,
  'm:sSub': (of) => `${of('m:e')}${script('_', of('m:sub'))}`,
  'm:sSubSup': (of) => `${of('m:e')}${script('_', of('m:sub'))}${script('^', of('m:sup'))}`,
  'm:sPre': (of) => `${script('_', of('m:sub'))}${script('^', of('m:sup'))}${of('m:e')}`,
  'm:limLow': (of) => `${of('m:e')}${script('_', of('m:lim'))}`,
  'm:limUpp': (of) => `${of('m:e')}${script('^', of('m:lim'))}`,
  'm:func': (of) => `${of('m:fName')} ${of('m:e')}`,
  'm:rad': (of) => `√${of('m:deg') === '' ? '' : `[${of('m:deg')}]`}(${of('m:e')})`,
  'm:nary': (of, { properties }) =>
    `${properties.get('m:chr') ?? '∫'}${script('_', of('m:sub'))}${script('^', of('m:sup'))} ${of('m:e')}`,
  'm:acc': (of, { properties }) => `${of('m:e')}${properties.get('m:chr') ?? '\u0302'}`,
  'm:d': (_, part) => {
    const inner = texts(part, 'm:e').join(part.properties.get('m:sepChr') ?? '|');
    return `${part.properties.get('m:begChr') ?? '('}${inner}${part.properties.get('m:endChr') ?? ')'}`;
  },
  'm:mr': (_, part) => texts(part, 'm:e').join(', '),
  'm:m': (_, part) => texts(part, 'm:mr').join('; '),
  'm:eqArr': (_, part) => texts(part, 'm:e').join('; '),
  'm:phant': (of, { properties }) => (/^(?:0|off|false)$/.test(properties.get('m:show') ?? '') ? '' : of('m:e')),
};

function written(part: Part): string {
  const form = forms[part.name];
  return form ? form((name) => texts(part, name)[0] ?? '', part) : part.text;
}

function texts({ parts }: Part, name: string): string[] {
  return parts.filter((part) => part.name === name).map(({ text }) => text.trim());
}

function grouped(text: string): string {
  return /^[\p{L}\p{M}\p{N}.,∞′]*$/u.test(text) ? text : `(${text})`;
}

/** The text of an equation that was read as a whole. */
export function equationOf(root: XmlElement): string {
  const equation = new EquationText();
  const open = [{ element: root, next: 0 }];
  equation.enter(root.name, root.attributes);
  let whole = '';
  for (let at = open.at(-1); at; at = open.at(-1)) {
    const child = at.element.children[at.next];
    at.next += 1;
    if (child === undefined) {
      open.pop();
      whole = equation.leave();
    } else if (typeof child !== 'string') {
      equation.enter(child.name, child.attributes);
      open.push({ element: child, next: 0 });
    } else if (at.element.name === 'm:t') equation.write(child);
  }
  return whole;
}
