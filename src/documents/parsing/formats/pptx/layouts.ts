import { elementIn, elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { bulletsOf, type Bullet } from './bullets.js';
import { isTitle, placeholderOf, positionOf, type Placeholder, type Position } from './placeholder.js';

/** What a layout or master says of one of its shapes. */
interface Model {
  readonly placeholder: Placeholder;
  readonly position: Position | undefined;
  readonly bullets: ReadonlyMap<number, Bullet>;
}

/** What the shapes of a slide inherit from its layout and, beyond that, from its master. */
export interface Layout {
  positionOf(placeholder: Placeholder): Position | undefined;
  bulletOf(placeholder: Placeholder, level: number): Bullet | undefined;
}

export const noLayout: Layout = { positionOf: () => undefined, bulletOf: () => undefined };

/** Types of placeholders that hold text as the body does. */
const bodyTypes = /^(?:body|obj|subTitle|tbl|chart|dgm|clipArt|media|half)$/;

/** Reads each layout and master once, however many slides use it. */
export class Layouts {
  private readonly read = new Map<string, Layout>();

  constructor(private readonly pack: OfficePackage) {}

  /** The layout that a slide's relations lead to. */
  async of(slide: string): Promise<Layout> {
    const part = await this.related(slide, 'slideLayout');
    if (part === undefined) return noLayout;
    const known = this.read.get(part);
    if (known) return known;
    const models = modelsOf(await this.pack.tree(part));
    const layout = inherited(models, await this.master(part));
    this.read.set(part, layout);
    return layout;
  }

  private async master(layout: string): Promise<Layout> {
    const part = await this.related(layout, 'slideMaster');
    if (part === undefined) return noLayout;
    const known = this.read.get(part);
    if (known) return known;
    const root = await this.pack.tree(part);
    const body = bulletsOf(elementIn(root, 'p:bodyStyle'));
    const master = inherited(modelsOf(root), {
      positionOf: () => undefined,
      bulletOf: ({ type }, level) => (bodyTypes.test(type) ? body.get(level) : undefined),
    });
    this.read.set(part, master);
    return master;
  }

  private async related(part: string, type: string): Promise<string | undefined> {
    const [relation] = (await this.pack.relationsOf(part)).ofType(type);
    return this.pack.partOf(relation);
  }
}

function modelsOf(root: XmlElement): Model[] {
  return elementsIn(root, 'p:sp').flatMap((shape) => {
    const placeholder = placeholderOf(shape);
    if (!placeholder) return [];
    return [{ placeholder, position: positionOf(shape), bullets: bulletsOf(elementIn(shape, 'a:lstStyle')) }];
  });
}

function inherited(models: readonly Model[], beyond: Layout): Layout {
  const modelOf = (wanted: Placeholder): Model | undefined =>
    models.find(({ placeholder }) => wanted.index !== '' && placeholder.index === wanted.index) ??
    models.find(({ placeholder }) => isSameKind(placeholder, wanted));
  return {
    positionOf: (placeholder) => modelOf(placeholder)?.position ?? beyond.positionOf(kindOf(placeholder, modelOf)),
    bulletOf: (placeholder, level) =>
      modelOf(placeholder)?.bullets.get(level) ?? beyond.bulletOf(kindOf(placeholder, modelOf), level),
  };
}

/** A placeholder of a slide may leave its type to the layout; indexes mean nothing to the master. */
function kindOf(placeholder: Placeholder, modelOf: (wanted: Placeholder) => Model | undefined): Placeholder {
  const { type = placeholder.type } = modelOf(placeholder)?.placeholder ?? {};
  return { type: placeholder.type === 'obj' ? type : placeholder.type, index: '' };
}

function isSameKind(one: Placeholder, other: Placeholder): boolean {
  return (
    one.type === other.type ||
    (isTitle(one) && isTitle(other)) ||
    (bodyTypes.test(one.type) && bodyTypes.test(other.type))
  );
}
