import type { TimeText } from '../views/time.js';
import { numberOf, type Bound } from './bound.js';
import { field, type About } from './field.js';

interface TextBounds {
  readonly minLength?: number;
  /** Code points. */
  readonly maxLength?: Bound;
}

/**
 * Free text; blanks at both ends are taken out. What no database can hold is refused: a text that was made fit in silence
 * is another one, and as a filter it would find what nobody asked for.
 */
export function TextField(about: About<string> & TextBounds): PropertyDecorator {
  const { minLength, maxLength } = about;
  return field(about, {
    schema: { type: 'string', ...(minLength ? { minLength } : {}), ...(maxLength ? { maxLength } : {}) },
    convert: (value) => (typeof value === 'string' ? value.trim() : value),
    fault: (value) => {
      if (typeof value !== 'string') return 'must be text';
      if (!isStorable(value)) return 'must not contain NUL or half a surrogate pair';
      if (minLength && value.length < minLength) return 'must not be blank';
      if (maxLength === undefined) return undefined;
      const most = numberOf(maxLength);
      return longerThan(value, most) ? `must have at most ${most} characters` : undefined;
    },
  });
}

/** One of a few plain names. */
export function ChoiceField<T extends string>(about: About<T> & { readonly options: readonly T[] }): PropertyDecorator {
  const { options } = about;
  return field(about, {
    schema: { type: 'string', enum: options },
    fault: (value) => ((options as readonly unknown[]).includes(value) ? undefined : `must be ${either(options)}`),
  });
}

/** A time of an answer: ISO 8601, UTC, milliseconds. */
export function TimeField(about: About<TimeText>): PropertyDecorator {
  return field(about, {
    schema: { type: 'string', format: 'date-time' },
    fault: (value) => (typeof value === 'string' ? undefined : 'must be a time'),
  });
}

/** A list of texts. */
export function TextListField(about: About<readonly string[]>): PropertyDecorator {
  return field(about, {
    schema: { type: 'array', items: { type: 'string' } },
    fault: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'must be a list of texts',
  });
}

/** True for text that the database can hold: without NUL and lone surrogates. */
function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** True if a text has more than `most` code points. */
export function longerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    if (count === most) return true;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return false;
}

/** `A, B or C`. */
export function either(options: readonly string[]): string {
  return options.length < 2 ? options.join() : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}
