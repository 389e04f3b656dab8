import type { Logger } from '../../logging/logger.js';
import type { Deliver, Lane } from '../../messaging/broker/laned-consumer.js';
import { SessionKeeper } from '../../messaging/broker/session-keeper.js';
import type { PartHealth } from '../../messaging/message-publisher.js';
import { describeRabbitError, isOutage } from './rabbit-errors.js';
import type { RabbitRecord } from './rabbit-message.js';
import { RabbitSession, type SessionTerms } from './rabbit-session.js';

/** What a lane asks of the {@link RabbitRoster}. */
export interface Shares {
  owns(number: number): boolean;
  linedUp(): void;
}

/** Reads some queues of a group, and leaves those that are others' share to them. */
export class RabbitLane implements Lane {
  private readonly keeper: SessionKeeper;
  private session: RabbitSession | undefined;

  constructor(
    terms: Omit<SessionTerms, 'onLinedUp'>,
    private readonly shares: Shares,
    deliver: Deliver<RabbitRecord>,
    logger: Logger,
  ) {
    const own = logger.child({ lane: terms.name });
    const withShares = { ...terms, onLinedUp: () => shares.linedUp() };
    this.keeper = new SessionKeeper(
      () => (this.session = new RabbitSession(withShares, deliver, own)),
      { silenceMs: terms.timings.silenceMs, isOutage, describeError: describeRabbitError },
      own,
    );
  }

  start(): void {
    this.keeper.start();
  }

  stop(): Promise<void> {
    return this.keeper.stop();
  }

  health(): PartHealth {
    return this.keeper.health();
  }

  /** The members, or their places in line, have changed. */
  letPass(): void {
    this.session?.stepBack((number) => this.shares.owns(number));
  }
}
