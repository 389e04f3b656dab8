/** Something that upkeep finds in bounded steps, and settles one by one. */
export interface Chore {
  /** Stable; in upper case with underscores. */
  readonly name: string;
  /** Looks through everything once; each step gives the ids of what it found, which may be none. */
  scan(): AsyncIterable<readonly string[]>;
  /** Under the usual locks, after looking again. False if there was nothing to settle, or not now. */
  settle(id: string): Promise<boolean>;
}
