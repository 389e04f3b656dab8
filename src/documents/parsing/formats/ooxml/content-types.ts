import { elementsIn, type XmlElement } from '../../containers/xml-tree.js';

/** What kind each part of an Office file is, by its name or else by the ending of it. */
export class ContentTypes {
  private readonly byName = new Map<string, string>();
  private readonly byEnding = new Map<string, string>();

  constructor(root: XmlElement) {
    for (const { attributes } of elementsIn(root, 'ct:Override')) {
      this.byName.set(keyOf(attributes['PartName']), attributes['ContentType'] ?? '');
    }
    for (const { attributes } of elementsIn(root, 'ct:Default')) {
      this.byEnding.set(keyOf(attributes['Extension']), attributes['ContentType'] ?? '');
    }
  }

  typeOf(part: string): string {
    const key = keyOf(part);
    return this.byName.get(key) ?? this.byEnding.get(key.slice(key.lastIndexOf('.') + 1)) ?? '';
  }

  /** Parts that have a type of their own, with it. */
  named(): IterableIterator<[part: string, type: string]> {
    return this.byName.entries();
  }
}

function keyOf(name = ''): string {
  return name.replace(/^\/+/, '').toLowerCase();
}
