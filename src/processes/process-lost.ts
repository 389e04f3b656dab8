/** How a child process was lost: it ended by itself or was killed, it ran out of memory, it was too slow, or it used up its processor time. */
export type LossReason = 'exit' | 'memory' | 'timeout' | 'cpu';

/** A child process was lost while it worked on a request. The same request may succeed in another one. */
export class ProcessLost extends Error {
  override readonly name = 'ProcessLost';

  /** @param message one sentence without paths or input, for example `The parse process ran out of memory.` */
  constructor(
    readonly reason: LossReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
