const strideShift = 2;
const firstCapacity = 1 << 12;

/**
 * The pieces of a vocabulary as a tree over UTF-16 units, held in one hash table of integers: a step costs the same
 * however large the vocabulary is, and nothing is allocated while reading.
 */
export class PieceTrie {
  /** Where pieces begin that start a word. */
  readonly root = 1;
  /** Where pieces begin that continue a word. */
  readonly continuation = 2;
  private nodes = 2;
  private mask = firstCapacity - 1;
  /** Slots of four: node, unit, child, unused. A free slot has node 0. */
  private slots = new Int32Array(firstCapacity << strideShift);
  private ends = new Uint8Array(firstCapacity);

  /** Adds a piece that starts or continues a word. */
  add(piece: string, continues: boolean): void {
    let node = continues ? this.continuation : this.root;
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      node = this.step(node, unit) || this.grow(node, unit);
    }
    this.ends[node] = 1;
  }

  /** The node that a unit leads to, or 0. */
  step(node: number, unit: number): number {
    const slots = this.slots;
    let slot = this.slotOf(node, unit);
    for (;;) {
      const owner = slots[slot];
      if (owner === node && slots[slot + 1] === unit) return slots[slot + 2] ?? 0;
      if (owner === 0) return 0;
      slot = (slot + 4) & ((this.mask << strideShift) | 3);
    }
  }

  /** True if a piece ends at the node. */
  isEnd(node: number): boolean {
    return this.ends[node] === 1;
  }

  private slotOf(node: number, unit: number): number {
    const mixed = Math.imul(Math.imul(node, 0x9e3779b1) ^ unit, 0x85ebca6b);
    return ((mixed ^ (mixed >>> 15)) & this.mask) << strideShift;
  }

  private grow(node: number, unit: number): number {
    this.nodes += 1;
    if (this.nodes * 2 > this.mask) this.double();
    this.put(node, unit, this.nodes);
    return this.nodes;
  }

  private put(node: number, unit: number, child: number): void {
    let slot = this.slotOf(node, unit);
    while (this.slots[slot] !== 0) slot = (slot + 4) & ((this.mask << strideShift) | 3);
    this.slots[slot] = node;
    this.slots[slot + 1] = unit;
    this.slots[slot + 2] = child;
  }

  private double(): void {
    const old = this.slots;
    const ends = new Uint8Array(this.ends.length * 2);
    ends.set(this.ends);
    this.ends = ends;
    this.mask = this.mask * 2 + 1;
    this.slots = new Int32Array((this.mask + 1) << strideShift);
    for (let slot = 0; slot < old.length; slot += 4) {
      const node = old[slot] ?? 0;
      if (node !== 0) this.put(node, old[slot + 1] ?? 0, old[slot + 2] ?? 0);
    }
  }
}
