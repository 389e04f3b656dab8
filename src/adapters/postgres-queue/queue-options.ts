export interface PostgresQueueOptions {
  /** First part of every queue name. */
  readonly prefix: string;
  /** How long a silent process keeps a message, in whole seconds; 10 unless given. */
  readonly holdSeconds?: number;
}

export const defaultHoldSeconds = 10;
