import { AppError } from '../domain/errors.js';

/** The code with which a promise is refused, or `done`. What is no AppError is thrown on. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
