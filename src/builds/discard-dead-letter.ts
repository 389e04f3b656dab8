import type { DeadLetter, DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import { DeadLetterState } from '../domain/dead-letter.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { letterOutcome } from './letter-outcome.js';

/** Lets be what a dead letter is about; its task stays as it ended. */
export class DiscardDeadLetter {
  constructor(private readonly letters: DeadLetterRepository) {}

  /** Once is enough; again changes nothing. @throws AppError DEAD_LETTER_NOT_FOUND, DEAD_LETTER_SETTLED. */
  async discard(tenantId: TenantId, id: Id, operatorId?: Id): Promise<DeadLetter> {
    await this.letters.settle({ tenantId, id, state: DeadLetterState.Discarded, operatorId });
    return letterOutcome(await this.letters.find(tenantId, id), DeadLetterState.Discarded);
  }
}
