/** What a run did, by name. */
export type PassCounts = Readonly<Record<string, number>>;

/** One timed repair. Bounded, safe to run twice and beside itself; whatever it cannot mend does not stop the rest. */
export interface UpkeepPass {
  /** Stable: the database claims ticks by it. */
  readonly name: string;
  /** Pause between two runs, in ms, over all processes. */
  readonly intervalMs: number;
  /** @param signal asks a long run to end soon. */
  runOnce(signal?: AbortSignal): Promise<PassCounts>;
}
