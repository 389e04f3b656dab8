import type { Logger } from '../logging/logger.js';
import type { Chore } from './chore.js';

/**
 * Settles what was found, one by one; what cannot be settled is told to the log and does not stop the rest. Gives how
 * many were.
 *
 * @param signal ends it between two of them.
 */
export async function settleEach(
  chore: Chore,
  ids: readonly string[],
  logger: Logger,
  signal?: AbortSignal,
): Promise<number> {
  let settled = 0;
  for (const id of ids) {
    if (signal?.aborted) break;
    try {
      if (await chore.settle(id)) settled += 1;
    } catch (error) {
      logger.warn('upkeep could not settle something', { chore: chore.name, id, error });
    }
  }
  if (settled > 0) logger.info('upkeep settled something', { chore: chore.name, settled });
  return settled;
}
