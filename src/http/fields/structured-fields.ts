import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { codeOf, describe, type CodeTable } from '../../domain/coded-value.js';
import { CodedView } from '../views/coded-view.js';
import { field, type About, type Described, type FieldRule } from './field.js';
import { either } from './text-fields.js';

/** A class whose fields are decorated. */
export type Shape<T extends object = object> = new () => T;

/** An object of fields. */
export function ObjectField(about: Described & { readonly example?: unknown }, shape: () => Shape): PropertyDecorator {
  return nested(about, shape, {
    schema: {},
    fault: (value) => (isPlainObject(value) ? undefined : 'must be an object'),
  });
}

/** A list of objects of fields. */
export function ObjectListField(about: Described, shape: () => Shape): PropertyDecorator {
  const fault = (value: unknown): string | undefined => {
    if (!Array.isArray(value)) return 'must be a list of objects';
    const at = value.findIndex((item) => !isPlainObject(item));
    return at < 0 ? undefined : `must hold objects only: item ${at} is none`;
  };
  return nested(about, shape, { schema: { type: 'array' }, fault });
}

/** A JSON object whose inner names are not fixed here. */
export function JsonObjectField(about: About<Readonly<Record<string, unknown>>>): PropertyDecorator {
  return field(about, {
    schema: { type: 'object', additionalProperties: true },
    fault: (value) => (isPlainObject(value) ? undefined : 'must be an object'),
  });
}

/** A JSON value of any kind in an answer. */
export function AnyField(about: About<unknown>): PropertyDecorator {
  return field(about, { schema: {}, fault: () => undefined });
}

/** A status or type in an answer. */
export function CodedField<Code extends number>(
  about: Described & { readonly table: CodeTable<Code>; readonly example: Code },
): PropertyDecorator {
  const { description, optional = false, table, example } = about;
  return ObjectField({ description, optional, example: describe(table, example, 'en') }, () => CodedView);
}

/** A status or type in a query: its code or its name. Handlers get the code. */
export function CodeTextField<Code extends number>(
  about: About<string> & { readonly table: CodeTable<Code> },
): PropertyDecorator {
  const names = Object.values<{ name: string }>(about.table).map((entry) => entry.name);
  return field(about, {
    schema: { type: 'string', enum: [...Object.keys(about.table), ...names] },
    convert: (value) => (typeof value === 'string' ? (codeOf(about.table, value) ?? value) : value),
    fault: (value) => (typeof value === 'number' ? undefined : `must be ${either(names)}, or the code of one`),
  });
}

/** A code or a name that is judged elsewhere: a short text or a whole number. */
export function CodeOrNameField(about: About<number | string>): PropertyDecorator {
  return field(about, {
    schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    fault: (value) => (isCodeOrName(value) ? undefined : 'must be a code or a name'),
  });
}

function isCodeOrName(value: unknown): boolean {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= 50);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nested(about: Described, shape: () => Shape, rule: FieldRule): PropertyDecorator {
  const decorators = [field(about, rule), Type(shape), ValidateNested({ each: rule.schema.type === 'array' })];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
