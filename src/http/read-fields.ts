import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { withLimits } from './fields/bound.js';
import type { Shape } from './fields/structured-fields.js';
import type { FieldProblem } from './invalid-request.js';
import type { RequestLimits } from './request-limits.js';

const options: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  // A class without fields takes an empty object; whitelisting refuses anything in it.
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

/** Makes a request object of plain fields, and tells everything that is wrong with them; use the object only if nothing is. */
export function readFields<T extends object>(
  shape: Shape<T>,
  fields: Readonly<Record<string, unknown>>,
  limits: RequestLimits,
): { readonly value: T; readonly problems: readonly FieldProblem[] } {
  return withLimits(limits, () => {
    const value = plainToInstance(shape, fields, { enableImplicitConversion: false });
    const errors = validateSync(value, options);
    return { value, problems: errors.flatMap((error) => problemsOf(error, '')) };
  });
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const path = /^\d+$/.test(error.property) ? `${parent}[${error.property}]` : dotted(parent, error.property);
  const constraints = error.constraints ?? {};
  if ('whitelistValidation' in constraints) return [{ path, message: 'is not a known field' }];
  const messages = Object.values(constraints);
  if (messages.length > 0) return [{ path, message: messages[0] ?? '' }];
  return (error.children ?? []).flatMap((child) => problemsOf(child, path));
}

function dotted(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
