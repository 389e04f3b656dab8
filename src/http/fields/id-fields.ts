import { isId, type Id } from '../../domain/ids/id.js';
import { numberOf, type Bound } from './bound.js';
import { field, type About, type Schema } from './field.js';

const text: Schema = { type: 'string', pattern: '^[1-9][0-9]{0,18}$' };
const number: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** What is said of anything that is not an id. */
export const idFault = 'must be an id: a decimal string from 1 to 9223372036854775807';

/** An id in a body: a decimal string, or a positive integer that JSON numbers hold exactly. */
export function IdField(about: About<Id>): PropertyDecorator {
  return field(about, { schema: { oneOf: [text, number] }, convert: idText, fault: faultOfId });
}

/** An id where only text can be: in a query, a form or an answer. */
export function IdTextField(about: About<Id>): PropertyDecorator {
  return field(about, { schema: text, fault: faultOfId });
}

/** A list of ids in a body; repeats count once. */
export function IdListField(about: About<readonly Id[]> & { readonly maxItems: Bound }): PropertyDecorator {
  return field(about, {
    schema: { type: 'array', items: { oneOf: [text, number] }, minItems: 1, maxItems: about.maxItems },
    convert: (value) => (Array.isArray(value) ? [...new Set(value.map(idText))] : value),
    fault: (value) => {
      if (!Array.isArray(value)) return 'must be a list of ids';
      if (value.length === 0) return 'must not be empty';
      const most = numberOf(about.maxItems);
      if (value.length > most) return `must have at most ${most} ids`;
      const at = value.findIndex((item) => !isId(item));
      return at < 0 ? undefined : `must hold ids only: item ${at} is none`;
    },
  });
}

function idText(value: unknown): unknown {
  return Number.isSafeInteger(value) && (value as number) > 0 ? String(value) : value;
}

function faultOfId(value: unknown): string | undefined {
  return isId(value) ? undefined : idFault;
}
