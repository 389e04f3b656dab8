import { TextField } from '../fields/text-fields.js';
import { IntegerField } from '../fields/number-fields.js';

/** A status or type: the code is for logic, the texts are for display. */
export class CodedView {
  @IntegerField({ description: 'What logic compares; stable.', example: 2, min: 0 })
  code!: number;

  @TextField({ description: 'The code as a word; stable.', example: 'BUILDING' })
  name!: string;

  @TextField({ description: 'For people, in the language of Accept-Language.', example: 'Building' })
  description!: string;
}
