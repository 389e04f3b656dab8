// Loaded into a process, its clock is wrong from its start on, and may be set while it runs. The steady clock is left
// alone, as it is when somebody sets the clock of a machine.

/** In the environment of a process: how wrong its clock is, in ms. */
export const skewVariable = 'CLOCK_SKEW_MS';

const TrueDate = Date;
let skewMs = Number(process.env[skewVariable] ?? 0);

const skewedNow = (): number => TrueDate.now() + skewMs;

// `new Date(year, month, …)` and `Date()` go through unchanged; nothing else tells the time.
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given: [], newTarget) =>
    given.length === 0
      ? (Reflect.construct(target, [skewedNow()], newTarget) as object)
      : (Reflect.construct(target, given, newTarget) as object),
  get: (target, name, receiver): unknown => (name === 'now' ? skewedNow : Reflect.get(target, name, receiver)),
});

/** Sets the clock of this process. */
export function setSkew(ms: number): void {
  skewMs = ms;
}
