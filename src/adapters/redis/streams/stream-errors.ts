/** Answers that are about who asks. */
const lockedOut = /^(NOAUTH|WRONGPASS|NOPERM)\b/;

/** True when Redis answered, though not with what was wanted. */
export function isAnswer(error: unknown): boolean {
  return innermost(error).name === 'ReplyError';
}

/** True when Redis lets nobody in with this user and password, or forbids a command. */
export function isForbidden(error: unknown): boolean {
  return lockedOut.test(innermost(error).message);
}

/** True when another server of the installation has to be asked. */
export function isReplica(error: unknown): boolean {
  return innermost(error).message.startsWith('READONLY');
}

/** True when a stream or its group is not there. */
export function isMissingGroup(error: unknown): boolean {
  return /\bNOGROUP\b/.test(innermost(error).message);
}

/** True when waiting may help, and nothing is wrong on this side. */
export function isOutage(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  // ERR is what commands and scripts that are wrong in themselves are answered with.
  return !(isAnswer(error) && innermost(error).message.startsWith('ERR'));
}

/** One line for logs and health, without the stack. */
export function describeRedisError(error: unknown): string {
  const { message, name } = innermost(error);
  return message || name;
}

/** A transaction that was not begun says only that; the commands refused before it say why. */
function innermost(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { previousErrors } = error as { previousErrors?: unknown };
  const [first] = Array.isArray(previousErrors) ? (previousErrors as unknown[]) : [];
  return first instanceof Error ? first : error;
}
