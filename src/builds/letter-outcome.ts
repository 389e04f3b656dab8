import { DeadLetterState } from '../domain/dead-letter.js';
import type { DeadLetter } from '../database/repositories/dead-letter-repository.js';
import { AppError } from '../domain/errors.js';

/**
 * The letter that stands as its caller wants it, whoever brought it there.
 *
 * @throws AppError DEAD_LETTER_NOT_FOUND; DEAD_LETTER_SETTLED if a person decided otherwise before.
 */
export function letterOutcome(letter: DeadLetter | undefined, wanted: DeadLetterState): DeadLetter {
  if (!letter) throw new AppError('DEAD_LETTER_NOT_FOUND', 'There is no such dead letter.');
  if (letter.state === wanted) return letter;
  const did = letter.state === DeadLetterState.Replayed ? 'replayed' : 'discarded';
  throw new AppError('DEAD_LETTER_SETTLED', `The dead letter was ${did} before.`);
}
