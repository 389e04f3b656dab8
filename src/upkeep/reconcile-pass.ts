import type { Reconcile } from './reconcile.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** Reconciles on a timer, and mends whatever needs no person. */
export class ReconcilePass implements UpkeepPass {
  readonly name = 'reconcile';

  constructor(
    private readonly reconcile: Reconcile,
    readonly intervalMs: number,
  ) {}

  async runOnce(signal: AbortSignal = new AbortController().signal): Promise<PassCounts> {
    const { findings, incomplete } = await this.reconcile.run(['upkeep'], signal);
    return {
      found: findings.reduce((sum, { count }) => sum + count, 0),
      repaired: findings.reduce((sum, { repaired }) => sum + repaired, 0),
      incomplete: incomplete.length,
    };
  }
}
