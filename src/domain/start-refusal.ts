/** Why the program cannot start: one sentence for the person who starts it, without a stack and without secrets. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
