import { deadLetterStates, type DeadLetterState } from '../../domain/dead-letter.js';
import { ChoiceField } from '../fields/text-fields.js';

/** Filter of `GET /admin/dead-letters`. */
export class DeadLetterListQuery {
  @ChoiceField({ description: 'Letters in this state.', example: 'OPEN', options: deadLetterStates, optional: true })
  state?: DeadLetterState;
}
