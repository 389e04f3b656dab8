import { numberOf, type Bound } from './bound.js';
import { field, type About, type FieldRule } from './field.js';

interface Range {
  readonly min: number;
  readonly max?: Bound;
}

/** A whole number in a body or an answer. */
export function IntegerField(about: About<number> & Range): PropertyDecorator {
  return field(about, integerRule(about));
}

/** A whole number in a query, where everything is text: decimal digits only. */
export function IntegerTextField(about: About<number> & Range): PropertyDecorator {
  return field(about, {
    ...integerRule(about),
    convert: (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  });
}

/** A list of whole numbers in an answer. */
export function IntegerListField(about: About<readonly number[]>): PropertyDecorator {
  return field(about, {
    schema: { type: 'array', items: { type: 'integer' } },
    fault: (value) =>
      Array.isArray(value) && value.every(Number.isSafeInteger) ? undefined : 'must be a list of whole numbers',
  });
}

/** A finite number in a body or an answer. */
export function NumberField(about: About<number> & Range): PropertyDecorator {
  return field(about, {
    schema: schemaOf('number', about),
    fault: (value) => (Number.isFinite(value) ? outside(about, value as number) : 'must be a number'),
  });
}

/** True or false in a body or an answer. */
export function FlagField(about: About<boolean>): PropertyDecorator {
  return field(about, flagRule);
}

/** True or false in a query. */
export function FlagTextField(about: About<boolean>): PropertyDecorator {
  const words = new Map<unknown, boolean>([
    ['true', true],
    ['false', false],
  ]);
  return field(about, { ...flagRule, convert: (value) => words.get(value) ?? value });
}

const flagRule: FieldRule = {
  schema: { type: 'boolean' },
  fault: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
};

function integerRule(range: Range): FieldRule {
  return {
    schema: schemaOf('integer', range),
    fault: (value) => (Number.isSafeInteger(value) ? outside(range, value as number) : 'must be a whole number'),
  };
}

function schemaOf(type: 'integer' | 'number', { min, max }: Range): FieldRule['schema'] {
  return { type, minimum: min, ...(max === undefined ? {} : { maximum: max }) };
}

function outside({ min, max }: Range, value: number): string | undefined {
  const most = max === undefined ? Infinity : numberOf(max);
  if (value >= min && value <= most) return undefined;
  return most === Infinity ? `must be at least ${min}` : `must be from ${min} to ${most}`;
}
