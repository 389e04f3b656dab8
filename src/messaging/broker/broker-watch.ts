import { StartRefusal } from '../../domain/start-refusal.js';
import type { Logger } from '../../logging/logger.js';
import { withDeadline } from '../deadline.js';

/** Pause between two looks, in ms, while all is well and while it is not. */
const calmPauseMs = 5_000;
const alertPauseMs = 1_000;

/** Asks one broker, over a connection of its own, whether it has what messages need. */
export interface BrokerLook {
  /** The broker's name for people. */
  readonly broker: string;
  /**
   * What is missing, by full name. Connects when it must; rejects while the broker does not answer.
   *
   * @throws StartRefusal if the broker answers and lets nobody in.
   */
  missing(): Promise<readonly string[]>;
  /** Closes the connection, bounded; the next question opens another. */
  drop(): Promise<void>;
  describeMissing(missing: readonly string[]): string;
  describeError(error: unknown): string;
}

export interface BrokerState {
  /** Undefined before the first look has ended. */
  readonly reachable: boolean | undefined;
  readonly missing: readonly string[];
  readonly detail?: string;
}

/** Checks that nothing is missing. Says so little while the broker is away. @throws StartRefusal naming what is missing. */
export async function requireAll(look: BrokerLook, deadlineMs: number, logger: Logger): Promise<void> {
  let missing: readonly string[];
  try {
    missing = await withDeadline(deadlineMs, () => look.missing());
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    logger.warn('the topics could not be checked: the broker does not answer', { broker: look.broker, error });
    return;
  } finally {
    await look.drop();
  }
  if (missing.length > 0) throw new StartRefusal(look.describeMissing(missing));
}

/** Looks every few seconds whether the broker answers and has what messages need. */
export class BrokerWatch {
  private current: BrokerState = { reachable: undefined, missing: [] };
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private stopped = false;
  /** What the last look was refused with. */
  private refusal: StartRefusal | undefined;

  constructor(
    private readonly look: BrokerLook,
    private readonly deadlineMs: number,
    private readonly logger: Logger,
  ) {}

  get state(): BrokerState {
    return this.current;
  }

  /** Resolves after the first look. @throws StartRefusal if the broker answers and something is missing. */
  async start(): Promise<void> {
    await this.lookOnce();
    const { missing } = this.current;
    const refusal = missing.length > 0 ? new StartRefusal(this.look.describeMissing(missing)) : this.refusal;
    if (!refusal) return;
    await this.stop();
    throw refusal;
  }

  /** Looks now rather than when the pause is over. */
  lookNow(): void {
    if (this.stopped || !this.timer) return;
    clearTimeout(this.timer);
    void this.lookOnce();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.look.drop();
    await this.looking;
  }

  private lookOnce(): Promise<void> {
    this.timer = undefined;
    this.looking = this.observe()
      .then((state) => this.accept(state))
      .finally(() => this.plan());
    return this.looking;
  }

  private async observe(): Promise<BrokerState> {
    try {
      const missing = await withDeadline(this.deadlineMs, () => this.look.missing());
      return missing.length > 0
        ? { reachable: true, missing, detail: this.look.describeMissing(missing) }
        : { reachable: true, missing };
    } catch (error) {
      this.refusal = error instanceof StartRefusal ? error : undefined;
      await this.look.drop();
      const detail = `${this.look.broker} does not answer: ${this.look.describeError(error)}`;
      return { reachable: false, missing: [], detail };
    }
  }

  private accept(state: BrokerState): void {
    const before = this.current;
    this.current = state;
    if (this.stopped || before.detail === state.detail) return;
    // What the first look is refused with is the answer to the start.
    if (before.reachable === undefined && (this.refusal || state.missing.length > 0)) return;
    const { broker } = this.look;
    if (state.detail === undefined) this.logger.info('the broker is back', { broker });
    else this.logger.warn('the broker is not usable', { broker, detail: state.detail });
  }

  private plan(): void {
    if (this.stopped) return;
    const pauseMs = this.current.detail === undefined ? calmPauseMs : alertPauseMs;
    this.timer = setTimeout(() => void this.lookOnce(), pauseMs);
  }
}
