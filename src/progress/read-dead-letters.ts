import type { DeadLetter, DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import type { DeadLetterState } from '../domain/dead-letter.js';
import type { TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';

/** What waits for a person, and what became of it. */
export class ReadDeadLetters {
  constructor(private readonly letters: DeadLetterRepository) {}

  /** Newest first; in one state, or all. */
  list(tenantId: TenantId, state: DeadLetterState | undefined, page: PageRequest): Promise<Page<DeadLetter>> {
    return this.letters.list(tenantId, state, page);
  }
}
