import { AppError } from '../domain/errors.js';

/** One thing that is wrong with a request, by the path of the field in its body, form, query or path. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** Most problems that one answer lists, so that a body of a hundred thousand wrong fields has a short answer. */
export const mostProblems = 200;

/** Longest path that an answer repeats; names of unknown fields are the caller's own. */
const longestPath = 200;

/** The refusal of a request, with everything that is wrong with it. */
export function invalidRequest(problems: readonly FieldProblem[]): AppError {
  const fields = problems
    .slice(0, mostProblems)
    .map(({ path, message }) => ({ path: path.slice(0, longestPath), message }));
  const [first, ...others] = fields;
  const sentence = `${first?.path || 'The request'} ${first?.message ?? 'is not valid'}`;
  const more = others.length === 0 ? '' : ` ${others.length} more fields are wrong.`;
  return new AppError('INVALID_REQUEST', `${sentence}.${more}`, { fields });
}
