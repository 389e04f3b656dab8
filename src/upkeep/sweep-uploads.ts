import type { ObjectStore } from '../documents/object-store.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** Removes the half-written files of uploads whose process died. */
export class SweepUploads implements UpkeepPass {
  readonly name = 'dead-uploads';

  constructor(
    private readonly objects: ObjectStore,
    readonly intervalMs: number,
  ) {}

  async runOnce(): Promise<PassCounts> {
    return { removed: await this.objects.sweep() };
  }
}
