import type { Shape } from '../http/fields/structured-fields.js';
import { readFields } from '../http/read-fields.js';
import type { RequestLimits } from '../http/request-limits.js';

/** What an answer has that its documented shape has not, or has otherwise; empty when it is as documented. */
export function shapeFaults(shape: Shape, answer: unknown, limits: RequestLimits): string[] {
  const { problems } = readFields(shape, answer as Record<string, unknown>, limits);
  return problems.map(({ path, message }) => `${path} ${message}`);
}
