import type { FailpointName } from './failpoints.js';

/** `kill`: SIGKILL. `pause`: SIGSTOP. `hold`: only this call waits, until it is released. */
export type Strike = 'kill' | 'pause' | 'hold';

/** What a test tells a process. */
export type Order =
  | {
      readonly type: 'arm';
      readonly name: FailpointName;
      readonly strike: Strike;
      /** At which time that the place is reached. */
      readonly pass: number;
    }
  | { readonly type: 'disarm' }
  | { readonly type: 'release'; readonly name: FailpointName }
  | { readonly type: 'set clock'; readonly skewMs: number };

/** What a process tells the test, before it is struck. */
export interface Reached {
  readonly reached: FailpointName;
}
