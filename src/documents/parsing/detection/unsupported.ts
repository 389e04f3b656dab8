import { AppError } from '../../../domain/errors.js';
import { readableNames } from '../formats/known-formats.js';

/** The error of a kind of file that cannot be read, with what can. */
export function unsupported(kind: string): AppError {
  const can = `What can be read: ${readableNames.join(', ')}.`;
  return new AppError('UNSUPPORTED_TYPE', `This is a file of the kind "${kind}". ${can}`);
}
