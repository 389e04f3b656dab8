import { z } from 'zod';

/** One configuration value: its variable, its bounds and default, and the line that documents it. */
export interface Setting<T> {
  readonly env: string;
  readonly doc: string;
  readonly unit?: string;
  /** How the default reads in the documentation; empty where there is none. */
  readonly defaultText: string;
  /** True for values that must not appear in logs or documentation. */
  readonly secret: boolean;
  /** Takes the raw variable, or undefined when it is unset or empty. */
  readonly schema: z.ZodType<T>;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

interface Doc {
  readonly doc: string;
  readonly unit?: string;
  readonly secret?: boolean;
}

function define<T>(env: string, defaultText: string, schema: z.ZodType<T>, about: Doc): Setting<T> {
  return {
    env,
    doc: about.doc,
    defaultText,
    schema,
    secret: about.secret ?? false,
    ...(about.unit ? { unit: about.unit } : {}),
  };
}

/** A whole number in decimal digits; `12abc`, `1e3` and `1.0` are refused. */
export function integer(env: string, fallback: number, about: Doc & { min: number; max: number }): Setting<number> {
  const bounds = `must be a whole number from ${about.min} to ${about.max}`;
  const schema = z
    .string()
    .regex(/^\d{1,15}$/, bounds)
    .transform(Number)
    .refine((n) => n >= about.min && n <= about.max, bounds)
    .optional()
    .transform((n) => n ?? fallback);
  return define(env, String(fallback), schema, about);
}

export function text(env: string, fallback: string, about: Doc): Setting<string> {
  return define(
    env,
    fallback,
    z
      .string()
      .optional()
      .transform((value) => value ?? fallback),
    about,
  );
}

export function optionalText(env: string, about: Doc): Setting<string | undefined> {
  return define(env, '', z.string().optional(), about);
}

/** A URL with one of the given schemes, or unset. Its value is kept as typed. */
export function optionalUrl(env: string, schemes: readonly string[], about: Doc): Setting<string | undefined> {
  const message = `must be a URL with ${schemes.map((s) => `${s}://`).join(' or ')}`;
  const fits = (value: string): boolean =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  return define(env, '', z.string().refine(fits, message).optional(), about);
}

export function choice<const T extends string>(
  env: string,
  options: readonly T[],
  fallback: T,
  about: Doc,
): Setting<T> {
  const schema = z
    .enum(options as [T, ...T[]], `must be one of ${options.join(', ')}`)
    .optional()
    .transform((value) => value ?? fallback);
  return define(env, fallback, schema as z.ZodType<T>, about);
}

/** A comma list of the given words, without repeats. */
export function choices<const T extends string>(
  env: string,
  options: readonly T[],
  fallback: readonly T[],
  about: Doc,
): Setting<readonly T[]> {
  const message = `must be a comma list of ${options.join(', ')}`;
  const schema = z
    .string()
    .transform((value) => [...new Set(value.split(',').map((word) => word.trim()))])
    .refine((words) => words.every((word) => (options as readonly string[]).includes(word)), message)
    .optional()
    .transform((words) => (words ?? fallback) as readonly T[]);
  return define(env, fallback.join(','), schema as z.ZodType<readonly T[]>, about);
}

/** A comma list of host:port pairs. */
export function hostList(env: string, fallback: string, about: Doc): Setting<readonly string[]> {
  const schema = z
    .string()
    .optional()
    .transform((value) => (value ?? fallback).split(',').map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every((entry) => /^[\w.-]+:\d{1,5}$/.test(entry)),
      'must be a comma list of host:port',
    );
  return define(env, fallback, schema, about);
}
