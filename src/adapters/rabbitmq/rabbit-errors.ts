/** What the broker closes a channel or a connection for because of what this side did. */
const accusations = new Set([406, 501, 502, 503, 504, 505, 530, 540]);

/** True when the broker says that a queue is not there. */
export function isMissingQueue(error: unknown): boolean {
  return codeOf(error) === 404;
}

/** True when the broker refuses what needs other rights, or does not let the user in at all. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === 403 || /ACCESS.REFUSED/.test(describeRabbitError(error));
}

/** True when a queue is there with other settings. */
export function isOtherwise(error: unknown): boolean {
  return codeOf(error) === 406;
}

/** True when it never came to the broker: what was to be sent cannot be written, or there is a bug. */
export function isOwnFault(error: unknown): boolean {
  return ['TypeError', 'RangeError'].includes(String(fieldsOf(error).name));
}

/** True when waiting may help, and nothing is wrong on this side. */
export function isOutage(error: unknown): boolean {
  return !isOwnFault(error) && !accusations.has(Number(codeOf(error)));
}

/** True when the broker could not store a message and says so. */
export function isNack(error: unknown): boolean {
  return fieldsOf(error).message === 'message nacked';
}

/** One line for logs and health, without the stack. */
export function describeRabbitError(error: unknown): string {
  const { message, name } = fieldsOf(error);
  return String(message || name || error);
}

/** The broker's number of the error, or the system's name of it. */
function codeOf(error: unknown): unknown {
  return fieldsOf(error).code;
}

/** What may be on an error, of whatever making. */
function fieldsOf(error: unknown): { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
