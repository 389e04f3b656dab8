/** The promises that hold after every fault. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8';

/** One thing that does not hold, and where. */
export interface Violation {
  readonly invariant: Invariant;
  readonly says: string;
  readonly ids: readonly string[];
}
