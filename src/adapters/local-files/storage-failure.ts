import { AppError } from '../../domain/errors.js';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'the service may not write there',
  EPERM: 'the service may not write there',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** What the system said about a file, in words that name no path; anything that is not such an error stays as it is. */
export function storageFailure(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const reason = reasons[code] ?? `the disk answered ${code}`;
  return new AppError('STORAGE_UNAVAILABLE', `The file cannot be stored: ${reason}.`, {}, { cause: error });
}

/** The same for reading: gone for good, or not to be had now. */
export function unreadable(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('SOURCE_CHANGED', 'The stored file is not there any more.', {}, { cause: error });
  }
  if (code === 'ELOOP') {
    return new AppError('SOURCE_CHANGED', 'The stored file is a symbolic link.', {}, { cause: error });
  }
  return new AppError('SOURCE_UNREADABLE', `The stored file cannot be read: ${code}.`, {}, { cause: error });
}

function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
