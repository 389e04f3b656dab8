import { AppError } from '../domain/errors.js';

/** Does what needs a folder of ours, and says what the system answers in words that name no path. @throws AppError STORAGE_UNAVAILABLE */
export async function storing<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new AppError('STORAGE_UNAVAILABLE', `The file cannot be copied for reading: ${code}.`, {}, { cause: error });
  }
}

/** The code of an error of the operating system. */
function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return String(error.code);
}
