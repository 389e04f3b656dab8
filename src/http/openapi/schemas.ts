import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import type { Schema } from '../fields/field.js';
import type { Shape } from '../fields/structured-fields.js';
import type { ServiceLimits } from '../request-limits.js';

const prefix = '#/components/schemas/';

/** Keywords whose value may be the name of a limit. */
const boundKeywords = new Set(['maxLength', 'maxItems', 'maximum']);

/** The schemas of a document: those that are asked for, and what they refer to. */
export class Schemas {
  private readonly known: Readonly<Record<string, Schema>>;
  /** While the schemas of requests are collected. */
  private closed = false;
  private readonly used = new Map<string, { readonly shape: Shape | undefined; readonly schema: Schema }>();

  constructor(private readonly limits: ServiceLimits) {
    this.known = validationMetadatasToSchemas({
      classTransformerMetadataStorage: defaultMetadataStorage,
      refPointerPrefix: prefix,
      additionalConverters: { field: {} },
    }) as unknown as Record<string, Schema>;
  }

  /** A reference to the schema of a request, which takes no fields but its own, inner ones included. */
  refToRequest(shape: Shape): Schema {
    this.closed = true;
    try {
      return this.refTo(shape);
    } finally {
      this.closed = false;
    }
  }

  /** A reference to the schema of a class. */
  refTo(shape: Shape): Schema {
    const before = this.used.get(shape.name);
    if (before?.shape && before.shape !== shape) throw new Error(`two classes are called ${shape.name}`);
    this.use(shape.name, shape);
    return { $ref: `${prefix}${shape.name}` };
  }

  /** The schema of a class itself, for what is spread out: query parameters and forms. */
  inline(shape: Shape): {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  } {
    const { properties = {}, required = [] } = this.resolve(this.known[shape.name] ?? {}) as {
      properties?: Record<string, Schema>;
      required?: string[];
    };
    return { properties, required };
  }

  /** Everything that was referred to, by name. */
  collected(): Record<string, Schema> {
    const names = [...this.used.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.used.get(name)?.schema ?? {}]));
  }

  private use(name: string, shape?: Shape): void {
    if (this.used.has(name)) return;
    this.used.set(name, { shape, schema: {} });
    const schema = this.resolve(this.known[name] ?? { type: 'object', properties: {} });
    this.used.set(name, { shape, schema: this.closed ? { ...schema, additionalProperties: false } : schema });
  }

  /** Puts numbers in the place of named limits, and follows references. */
  private resolve(schema: Schema): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.resolveMember(key, value)]));
  }

  private resolveMember(key: string, value: unknown): unknown {
    if (key === '$ref' && typeof value === 'string') this.use(value.slice(prefix.length));
    if (boundKeywords.has(key) && typeof value === 'string') return this.limits[value as keyof ServiceLimits];
    if (key === 'example' || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.resolveMember('', item));
    return this.resolve(value as Schema);
  }
}
