import { randomBytes } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Logger } from '../../logging/logger.js';
import { SessionKeeper, type Session } from '../../messaging/broker/session-keeper.js';
import { RabbitConnection } from './rabbit-connection.js';
import { describeRabbitError, isOutage } from './rabbit-errors.js';
import type { ConsumerTimings, RabbitOptions } from './rabbit-options.js';

/** Every broker has this exchange. */
const exchange = 'amq.direct';
/** After so many beacons missed a member is forgotten. */
const beaconsMissed = 4;

/** What a member tells the others. */
interface Beacon {
  readonly id: string;
  /** Rises whenever the member has lined up at its queues anew. */
  readonly round: number;
  readonly leaves?: boolean;
}

/**
 * Knows the members of a group by what they tell each other, and shares the group's queues out between them. It only
 * balances: that one member alone reads a queue, and another when that one dies, is the broker's doing. So everybody may
 * have a different view for a while, and one who hears nobody takes all.
 */
export class RabbitRoster {
  private readonly id = randomBytes(8).toString('hex');
  private readonly keeper: SessionKeeper;
  private readonly others = new Map<string, { readonly round: number; readonly seenAt: number }>();
  private round = 0;
  private session: RosterSession | undefined;
  private known = '';

  /** @param onChange told after every change of the members, or of where they stand */
  constructor(
    options: RabbitOptions,
    group: string,
    private readonly timings: ConsumerTimings,
    private readonly onChange: () => void,
    logger: Logger,
  ) {
    const { silenceMs, beaconMs, stopMs } = timings;
    this.keeper = new SessionKeeper(
      () => {
        const hear = (beacon: Beacon): void => this.hear(beacon);
        const tell = (): Beacon => ({ id: this.id, round: this.round });
        this.session = new RosterSession({ options, group, beaconMs, silenceMs, stopMs }, tell, hear);
        return this.session;
      },
      { silenceMs, isOutage, describeError: describeRabbitError },
      logger.child({ roster: group }),
    );
  }

  start(): void {
    this.keeper.start();
  }

  stop(): Promise<void> {
    return this.keeper.stop();
  }

  /** Whether the queue with that number is this member's share. */
  owns(number: number): boolean {
    const members = [this.id, ...this.others.keys()].sort();
    return members[number % members.length] === this.id;
  }

  /** This member stands last in the lines of its queues: the others are to let it pass where its share is. */
  linedUp(): void {
    this.round += 1;
    this.session?.beacon();
  }

  private hear({ id, round, leaves }: Beacon): void {
    if (id === this.id) return this.settle();
    const isNew = !this.others.has(id);
    if (leaves) this.others.delete(id);
    else this.others.set(id, { round, seenAt: performance.now() });
    // Whoever comes need not wait for the next beacon to know who is here.
    if (isNew && !leaves) this.session?.beacon();
    this.settle();
  }

  private settle(): void {
    const oldest = performance.now() - this.timings.beaconMs * beaconsMissed;
    for (const [id, { seenAt }] of this.others) if (seenAt < oldest) this.others.delete(id);
    const view = [...this.others].map(([id, { round }]) => `${id}:${round}`).sort();
    if (view.join() === this.known) return;
    this.known = view.join();
    this.onChange();
  }
}

interface RosterTerms extends Pick<ConsumerTimings, 'beaconMs' | 'silenceMs' | 'stopMs'> {
  readonly options: RabbitOptions;
  readonly group: string;
}

/** Tells and hears over a connection of its own: a broker short of memory stops reading from those that publish. */
class RosterSession implements Session {
  joined = false;
  private readonly closing = new AbortController();
  private readonly ending: Promise<Error>;
  private end: (cause: Error) => void = () => undefined;
  private closed: Promise<void> | undefined;
  private connection: RabbitConnection | undefined;
  private channel: Channel | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = performance.now();

  constructor(
    private readonly terms: RosterTerms,
    private readonly tell: () => Beacon,
    private readonly hear: (beacon: Beacon) => void,
  ) {
    this.ending = new Promise((resolve) => (this.end = resolve));
  }

  /** Own beacons come back as well. */
  get silentMs(): number {
    return performance.now() - this.heardAt;
  }

  async run(): Promise<Error> {
    try {
      await this.begin();
    } catch (error) {
      this.end(error as Error);
    }
    return this.ending;
  }

  beacon(leaves?: true): void {
    if (!this.joined || !this.channel) return;
    const content = Buffer.from(JSON.stringify({ ...this.tell(), ...(leaves ? { leaves } : {}) }));
    this.channel.publish(exchange, this.terms.group, content, { expiration: this.terms.silenceMs });
  }

  close(): Promise<void> {
    return (this.closed ??= this.closeOnce());
  }

  private async closeOnce(): Promise<void> {
    this.closing.abort();
    clearInterval(this.timer);
    try {
      this.beacon(true);
    } catch {
      // The channel has ended before.
    }
    this.joined = false;
    await this.connection?.close(this.terms.stopMs);
    this.end(new Error('the roster was closed'));
  }

  private async begin(): Promise<void> {
    const { options, group, beaconMs, silenceMs } = this.terms;
    const { url, sendDeadlineMs } = options;
    this.connection = await RabbitConnection.open(url, `roster ${group}`, sendDeadlineMs, this.closing.signal);
    void this.connection.ended.then(this.end);
    this.channel = await this.connection.openChannel(this.end);
    const name = `${group}.member-${this.tell().id}`;
    const { queue } = await this.channel.assertQueue(name, { exclusive: true, autoDelete: true, durable: false });
    await this.channel.bindQueue(queue, exchange, group);
    await this.channel.consume(queue, (message) => this.receive(message), { noAck: true });
    this.joined = !this.closing.signal.aborted;
    this.timer = setInterval(() => {
      if (this.silentMs > silenceMs) this.end(new Error(`no beacon came back for ${silenceMs} ms`));
      else this.beacon();
    }, beaconMs);
    if (!this.joined) clearInterval(this.timer);
    this.beacon();
  }

  private receive(message: ConsumeMessage | null): void {
    if (!message) return this.end(new Error('the queue of the roster is gone'));
    this.heardAt = performance.now();
    const beacon = beaconIn(message.content);
    if (beacon) this.hear(beacon);
  }
}

/** Undefined for whatever others may have sent there. */
function beaconIn(content: Buffer): Beacon | undefined {
  try {
    const { id, round, leaves } = JSON.parse(content.toString('utf8')) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof round !== 'number') return undefined;
    return { id, round, leaves: leaves === true };
  } catch {
    return undefined;
  }
}
