import type { SqlRunner } from './database.js';

/**
 * Makes one transaction of a call happen once over all repetitions of that call, in whichever process they run: what
 * was committed before is given again, and what is committed now is remembered by the same commit.
 */
export interface Once {
  /** What an earlier run of the call has committed; undefined while none has. */
  readonly done: { readonly result: unknown } | undefined;
  /**
   * The last statement before COMMIT. Rejects if the call was taken over in the meantime, and so rolls back.
   *
   * @param result made of what JSON can carry: ids, numbers, plain objects.
   */
  record(tx: SqlRunner, result: unknown): Promise<void>;
}
