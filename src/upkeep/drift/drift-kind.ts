import type { Chore } from '../chore.js';

/**
 * Who may mend: `upkeep` on its own, a `person` who asks for it (trying again by itself would go on for ever), or
 * `nobody`: a person has to bring back what is gone.
 */
export type MendedBy = 'upkeep' | 'person' | 'nobody';

/** One way in which stored things can disagree. Its name is public: the `kind` of a finding. */
export interface DriftKind extends Chore {
  readonly mendedBy: MendedBy;
}
