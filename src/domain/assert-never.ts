/** Ends a switch over a union: the compiler refuses it while a member is not handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled value: ${JSON.stringify(value)}`);
}
