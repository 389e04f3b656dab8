/** Marked content: whether it is seen, and whether it belongs to the content. */
interface Marked {
  readonly isHidden: boolean;
  readonly isArtifact: boolean;
}

/** Follows the marks that content stands between: layers, what is no part of the content, and masks. */
export class ContentMarks {
  private readonly marked: Marked[] = [];
  /** One entry for each open group. */
  private readonly masks: boolean[] = [];

  constructor(private readonly isShown: (layer: unknown) => boolean) {}

  begin(tag: unknown, layer: unknown): void {
    const name = nameOf(tag);
    const isHidden = name === 'OC' && layer !== null && layer !== undefined && !this.isShown(layer);
    this.marked.push({ isHidden: isHidden || this.isHidden, isArtifact: name === 'Artifact' || this.isArtifact });
  }

  end(): void {
    this.marked.pop();
  }

  beginGroup(group: unknown): void {
    const isMask = typeof group === 'object' && group !== null && 'smask' in group && Boolean(group.smask);
    this.masks.push(isMask || this.isMask);
  }

  endGroup(): void {
    this.masks.pop();
  }

  /** In a layer that is switched off. */
  get isHidden(): boolean {
    return this.marked.at(-1)?.isHidden === true;
  }

  get isArtifact(): boolean {
    return this.marked.at(-1)?.isArtifact === true;
  }

  /** What is painted now only tells how much of something else is seen. */
  get isMask(): boolean {
    return this.masks.at(-1) === true;
  }
}

function nameOf(tag: unknown): string {
  if (typeof tag === 'string') return tag;
  const name: unknown = typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : '';
  return typeof name === 'string' ? name : '';
}
