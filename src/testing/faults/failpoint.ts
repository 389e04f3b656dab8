/** Which calls of a method count. What the call gave is known after it only. */
export type Counts = (args: readonly unknown[], result: unknown) => boolean;

/** A place where a process can be struck: before or after a method of one of its parts. */
export interface Failpoint {
  readonly prototype: object;
  readonly method: string;
  readonly side: 'before' | 'after';
  readonly counts: Counts;
}

const every: Counts = () => true;

export function before<T extends object>(part: { prototype: T }, method: keyof T & string, counts = every): Failpoint {
  return { prototype: part.prototype, method, side: 'before', counts };
}

export function after<T extends object>(part: { prototype: T }, method: keyof T & string, counts = every): Failpoint {
  return { prototype: part.prototype, method, side: 'after', counts };
}

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/** Has `reach` awaited at the failpoint, in every instance of the part. The method must give a promise. */
export function decorate({ prototype, method, side, counts }: Failpoint, reach: () => Promise<void>): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[method];
  if (!original) throw new Error(`there is no method ${method} to decorate`);
  methods[method] = async function (...args) {
    if (side === 'before' && counts(args, undefined)) await reach();
    const result = await original.apply(this, args);
    if (side === 'after' && counts(args, result)) await reach();
    return result;
  };
}
