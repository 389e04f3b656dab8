import { AppError } from '../domain/errors.js';

export function batchNotFound(): AppError {
  return new AppError('BATCH_NOT_FOUND', 'There is no such batch.');
}
