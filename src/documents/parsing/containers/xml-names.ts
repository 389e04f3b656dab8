import type { XmlAttributes, XmlPrefixes } from './xml-events.js';

/** The namespaces that hold within an element, and the names that were looked up in them. */
interface Scope {
  readonly uris: ReadonlyMap<string, string>;
  readonly elements: Map<string, string>;
  readonly attributes: Map<string, string>;
}

/** Most elements of a document share one scope, so that each of its names is put together once. */
const mostKeptNames = 10_000;
/** Each element that declares some copies those around it. */
const mostPrefixes = 500;

/** Gives the names of a document the prefixes of ours, by the namespaces that its own prefixes stand for. */
export class XmlNames {
  private scope: Scope = newScope(new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
  /** For each open element the scope around it if it has one of its own. */
  private readonly outer: (Scope | undefined)[] = [];
  private readonly open: string[] = [];

  constructor(private readonly prefixes: XmlPrefixes) {}

  /** How many elements are open. */
  get depth(): number {
    return this.open.length;
  }

  /** Opens an element. @throws Error for a prefix that stands for nothing. */
  enter(rawName: string, attributes: XmlAttributes): { readonly name: string; readonly attributes: XmlAttributes } {
    const outer = this.scope;
    const raw = Object.keys(attributes);
    if (raw.some((name) => name.startsWith('xmlns'))) this.declare(attributes);
    this.outer.push(this.scope === outer ? undefined : outer);
    const name = this.elementName(rawName);
    this.open.push(name);
    if (!raw.some((attribute) => attribute.includes(':'))) return { name, attributes };
    const renamed = Object.create(null) as Record<string, string | undefined>;
    for (const attribute of raw) renamed[this.attributeName(attribute)] = attributes[attribute];
    return { name, attributes: renamed };
  }

  /** Closes the innermost element. */
  leave(): string {
    this.scope = this.outer.pop() ?? this.scope;
    return this.open.pop() ?? '';
  }

  private declare(attributes: XmlAttributes): void {
    const uris = new Map(this.scope.uris);
    for (const [name, uri] of Object.entries(attributes)) {
      if (name === 'xmlns') uris.set('', uri ?? '');
      else if (name.startsWith('xmlns:')) uris.set(name.slice(6), uri ?? '');
    }
    if (uris.size > mostPrefixes) throw new Error(`more than ${mostPrefixes} prefixes`);
    this.scope = newScope(uris);
  }

  private elementName(raw: string): string {
    return kept(this.scope.elements, raw, () => this.canonical(raw));
  }

  private attributeName(raw: string): string {
    // Those without a prefix are in no namespace.
    if (!raw.includes(':') || raw.startsWith('xmlns:')) return raw;
    return kept(this.scope.attributes, raw, () => this.canonical(raw));
  }

  private canonical(raw: string): string {
    const colon = raw.indexOf(':');
    const prefix = raw.slice(0, Math.max(colon, 0));
    const uri = this.scope.uris.get(prefix);
    if (uri === undefined && prefix !== '') throw new Error(`the prefix "${prefix}" stands for nothing`);
    const own = this.prefixes.get(uri ?? '') ?? prefix;
    const local = raw.slice(colon + 1);
    return own === '' ? local : `${own}:${local}`;
  }
}

function kept(names: Map<string, string>, raw: string, find: () => string): string {
  const known = names.get(raw);
  if (known !== undefined) return known;
  const name = find();
  if (names.size < mostKeptNames) names.set(raw, name);
  return name;
}

function newScope(uris: ReadonlyMap<string, string>): Scope {
  return { uris, elements: new Map(), attributes: new Map() };
}
