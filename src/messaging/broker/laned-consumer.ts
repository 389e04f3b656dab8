import { assertNever } from '../../domain/assert-never.js';
import type { Logger } from '../../logging/logger.js';
import { deadLetterHeaders, type DeadLetterOrigin } from '../dead-letter.js';
import type { IncomingMessage, MessageConsumer, MessageHandler, Verdict } from '../message-consumer.js';
import type { MessageHeaders, PartHealth } from '../message-publisher.js';
import { deadLettersOf, type ConsumerGroup, type DeadLetters, type Destination, type Topic } from '../topic.js';
import { laneGroupsOf, type LaneGroup } from './lane-groups.js';
import { Turnstile } from './turnstile.js';

/** `settled`: acknowledged. `postponed`: to be delivered again after a pause. `left`: not delivered at all. */
export type Delivery = 'settled' | 'postponed' | 'left';

/**
 * Has one message handled. `gone` aborts when the message may belong to another member, `commit` counts it as read.
 * Rejects only as `commit` does.
 */
export type Deliver<R> = (record: R, gone: AbortSignal, commit: () => Promise<void>) => Promise<Delivery>;

/** Reads one topic of a group, in order per key. */
export interface Lane {
  start(): void;
  /** Waits for the message in hand, bounded. */
  stop(): Promise<void>;
  health(): PartHealth;
}

/** What a broker does for a {@link LanedConsumer}. `R` is a message as it comes from there. */
export interface BrokerLanes<R> {
  /** Resolves also while the broker is away. @throws StartRefusal if it answers and lacks something. */
  check(destinations: readonly Destination[]): Promise<void>;
  open(lane: LaneGroup, deliver: Deliver<R>): Lane;
  incoming(record: R): IncomingMessage;
  /** Told of a message that comes in hand; gives why it is given up, if it is. */
  takeInHand?(record: R): Promise<string | undefined>;
  originOf(record: R): DeadLetterOrigin;
  /** Resolves once a copy of the message with these headers beside its own is stored among the dead letters. */
  moveAside(record: R, deadLetters: DeadLetters, headers: MessageHeaders): Promise<void>;
  stop(): Promise<void>;
}

export interface LanedConsumerOptions {
  readonly prefix: string;
  readonly group: ConsumerGroup;
  /** Those of all topics that are read; every one unless given. */
  readonly topics?: readonly Topic[] | undefined;
  /** A message in hand for this long, in ms, is taken for stuck. */
  readonly silenceMs: number;
}

/**
 * Reads the topics of one group. Each has a lane of its own, and both lanes pass one turnstile: messages are handled one at
 * a time, and bulk ones only while no other waits.
 */
export class LanedConsumer<R> implements MessageConsumer {
  private readonly turnstile = new Turnstile();
  private lanes: readonly Lane[] = [];
  private inHandSince: number | undefined;

  constructor(
    private readonly broker: BrokerLanes<R>,
    private readonly options: LanedConsumerOptions,
    private readonly logger: Logger,
  ) {}

  async start(handler: MessageHandler): Promise<void> {
    const { prefix, group, topics } = this.options;
    const groups = laneGroupsOf(prefix, group, topics);
    await this.broker.check([...groups.map(({ topic }) => topic), deadLettersOf(group)]);
    this.lanes = groups.map((lane, rank) =>
      this.broker.open(lane, (record, gone, commit) => this.deliver(record, handler, rank, gone, commit)),
    );
    for (const lane of this.lanes) lane.start();
  }

  pause(): void {
    this.turnstile.close();
  }

  resume(): void {
    this.turnstile.open();
  }

  health(): PartHealth {
    const all = this.lanes.map((lane) => lane.health());
    const worst = all.find((each) => each.gaveUp) ?? all.find((each) => !each.up) ?? all[0];
    if (!worst) return { up: false, detail: 'not started' };
    const heldMs = this.inHandSince === undefined ? 0 : performance.now() - this.inHandSince;
    if (worst.up && heldMs > this.options.silenceMs) {
      return { ...worst, up: false, detail: `a message has been in hand for ${Math.round(heldMs)} ms` };
    }
    return worst;
  }

  async stop(): Promise<void> {
    this.turnstile.end();
    await Promise.all(this.lanes.map((lane) => lane.stop()));
    await this.broker.stop();
  }

  private async deliver(
    record: R,
    handler: MessageHandler,
    rank: number,
    gone: AbortSignal,
    commit: () => Promise<void>,
  ): Promise<Delivery> {
    const leave = await this.turnstile.enter(rank, gone);
    if (!leave) return 'left';
    this.inHandSince = performance.now();
    try {
      return await this.obey(await this.judge(record, handler), record, commit);
    } finally {
      this.inHandSince = undefined;
      leave();
    }
  }

  private async judge(record: R, handler: MessageHandler): Promise<Verdict> {
    try {
      const givenUp = await this.broker.takeInHand?.(record);
      if (givenUp === undefined) return await handler(this.broker.incoming(record));
      const verdict = await handler({ ...this.broker.incoming(record), givenUp });
      return verdict.type === 'later' ? verdict : { type: 'dead', reason: givenUp };
    } catch (error) {
      this.logger.error('a message handler failed', { ...this.broker.originOf(record), error });
      return { type: 'later', reason: 'the handler failed' };
    }
  }

  private async obey(verdict: Verdict, record: R, commit: () => Promise<void>): Promise<Delivery> {
    switch (verdict.type) {
      case 'done':
        await commit();
        return 'settled';
      case 'later':
        this.logger.debug('message put off', { ...this.broker.originOf(record), reason: verdict.reason });
        return 'postponed';
      case 'dead':
        if (!(await this.moveAside(record, verdict.reason))) return 'postponed';
        await commit();
        return 'settled';
      default:
        return assertNever(verdict);
    }
  }

  /** True once the dead letter is stored. As long as it is not, the message stays where it is. */
  private async moveAside(record: R, reason: string): Promise<boolean> {
    const origin = this.broker.originOf(record);
    try {
      await this.broker.moveAside(record, deadLettersOf(this.options.group), deadLetterHeaders(reason, origin));
      this.logger.warn('message moved to the dead letters', { ...origin, reason });
      return true;
    } catch (error) {
      this.logger.error('a dead letter could not be stored; its topic waits', { ...origin, reason, error });
      return false;
    }
  }
}
