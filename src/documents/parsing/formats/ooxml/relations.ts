import { elementsIn, type XmlElement } from '../../containers/xml-tree.js';

/** What one part says of another. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, which both kinds of Office Open XML share, for example `styles`. */
  readonly type: string;
  /** Name of the part; an address if it is outside the file. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** The relations of one part, in their order. */
export class Relations {
  private readonly ids: ReadonlyMap<string, Relation>;

  private constructor(private readonly all: readonly Relation[]) {
    this.ids = new Map(all.map((relation) => [relation.id, relation]));
  }

  static readonly none = new Relations([]);

  /** @param part whose relations they are; its folder is where their targets start. */
  static read(root: XmlElement, part: string): Relations {
    return new Relations(
      elementsIn(root, 'rel:Relationship').map(({ attributes }) => {
        const isExternal = attributes['TargetMode']?.toLowerCase() === 'external';
        const target = attributes['Target'] ?? '';
        return {
          id: attributes['Id'] ?? '',
          type: (attributes['Type'] ?? '').replace(/^.*\//, ''),
          target: isExternal ? target : resolved(target, part),
          isExternal,
        };
      }),
    );
  }

  byId(id: string | undefined): Relation | undefined {
    return this.ids.get(id ?? '');
  }

  /** Those of a type that lie in the file. */
  ofType(type: string): readonly Relation[] {
    return this.all.filter((relation) => relation.type === type && !relation.isExternal);
  }

  external(): readonly Relation[] {
    return this.all.filter(({ isExternal }) => isExternal);
  }
}

/** Name of the part that holds the relations of another; of the file itself for ''. */
export function relationsPartOf(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

function resolved(target: string, part: string): string {
  const path = target.replaceAll('\\', '/').replace(/[?#].*$/s, '');
  const folders = path.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') folders.pop();
    else if (step !== '' && step !== '.') folders.push(step);
  }
  return folders.join('/');
}
