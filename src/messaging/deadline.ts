import { AppError } from '../domain/errors.js';

/** Says that the broker did not do its part; `cause` stays in the log. */
export function brokerUnavailable(message: string, cause?: unknown): AppError {
  return new AppError('BROKER_UNAVAILABLE', message, {}, cause === undefined ? {} : { cause });
}

/**
 * Resolves or rejects as `work` does, or rejects with BROKER_UNAVAILABLE after `ms`. Work that goes on after that learns
 * it from the signal; its outcome is nobody's concern any more.
 */
export async function withDeadline<T>(ms: number, work: (expired: AbortSignal) => Promise<T>): Promise<T> {
  const expiry = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = brokerUnavailable('The message broker did not answer in time.');
      expiry.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work(expiry.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, whatever its outcome, at most `ms`. True if it ended in time. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
