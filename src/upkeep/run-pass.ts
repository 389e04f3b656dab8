import type { UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import { AppError } from '../domain/errors.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** Runs one pass now, whoever else runs it. */
export class RunPass {
  constructor(
    private readonly passes: readonly UpkeepPass[],
    private readonly repository: UpkeepRepository,
  ) {}

  /** @throws AppError PASS_NOT_FOUND with the names of all passes. */
  async run(name: string, signal: AbortSignal): Promise<PassCounts> {
    const pass = this.passes.find((one) => one.name === name);
    if (!pass) {
      const passes = this.passes.map((one) => one.name).sort();
      throw new AppError('PASS_NOT_FOUND', `There is no such pass. The passes are ${passes.join(', ')}.`, { passes });
    }
    const counts = await pass.runOnce(signal);
    await this.repository.recordRun(name, counts, null);
    return counts;
  }
}
