import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** What every field of a request or an answer says of itself. */
export interface Described {
  readonly description: string;
  /** The field may be absent; in a request, null counts as absent. */
  readonly optional?: boolean;
  /** Null is a value of its own. */
  readonly nullable?: boolean;
}

export interface About<T> extends Described {
  readonly example: T;
}

/** A piece of JSON Schema; a bound may be the name of a limit until the document is made. */
export type Schema = Readonly<Record<string, unknown>>;

/** How one kind of field is documented, converted and checked. */
export interface FieldRule {
  readonly schema: Schema;
  /** The sentence part that is wrong with a value (`must be …`); undefined when it is fine. */
  readonly fault: (value: unknown) => string | undefined;
  /** Gives the value the form that handlers get; leaves alone what `fault` refuses. */
  readonly convert?: (value: unknown) => unknown;
}

/** Makes the decorator of a field: one rule, one description, one example, for validation and documentation alike. */
export function field(about: Described & { readonly example?: unknown }, rule: FieldRule): PropertyDecorator {
  const decorators = [
    Transform(({ value }: { value: unknown }) => converted(about, rule, value)),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value) => faultOf(about, rule, value) === undefined,
        defaultMessage: (args) => faultOf(about, rule, args?.value) ?? '',
      },
    }),
    JSONSchema({
      ...documented(about, rule),
      description: about.description,
      ...(about.example === undefined ? {} : { example: about.example }),
    }),
    ...(about.optional ? [ValidateIf((_, value) => value !== undefined)] : []),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property as string);
  };
}

function converted(about: Described, rule: FieldRule, value: unknown): unknown {
  if (value === null) return about.optional && !about.nullable ? undefined : null;
  return rule.convert ? rule.convert(value) : value;
}

function faultOf(about: Described, rule: FieldRule, value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (value === null && about.nullable) return undefined;
  return rule.fault(value);
}

function documented(about: Described, { schema }: FieldRule): Schema {
  if (!about.nullable) return schema;
  const { type } = schema;
  return typeof type === 'string' ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}
