import { assertNever } from '../../domain/assert-never.js';
import type { Logger } from '../../logging/logger.js';
import { deadLetterHeaders } from '../../messaging/dead-letter.js';
import type { MessageConsumer, MessageHandler, Verdict } from '../../messaging/message-consumer.js';
import { MessageRefused, type PartHealth } from '../../messaging/message-publisher.js';
import { brokerName, deadLetterTopic, topicsOfGroup, type ConsumerGroup } from '../../messaging/topic.js';
import { kafkaGroupsOf } from './kafka-groups.js';
import { KafkaLane, type Delivery, type KafkaRecord } from './kafka-lane.js';
import type { ConsumerTimings, KafkaOptions } from './kafka-options.js';
import { incomingMessage } from './kafka-record.js';
import { KafkaSender } from './kafka-sender.js';
import { requireTopics } from './kafka-topics.js';
import { Turnstile } from './turnstile.js';

/** What is kept of a value that even the dead-letter topic refuses, in bytes. */
const shortenedBytes = 64 * 1_024;

/**
 * Reads the topics of one group. Bulk topics have a lane of their own, and all lanes pass one turnstile: messages are
 * handled one at a time, and those of a batch only while no other waits.
 */
export class KafkaConsumer implements MessageConsumer {
  private readonly turnstile = new Turnstile();
  private readonly sender: KafkaSender;
  private lanes: readonly KafkaLane[] = [];
  private inHandSince: number | undefined;

  constructor(
    private readonly options: KafkaOptions,
    private readonly group: ConsumerGroup,
    private readonly timings: ConsumerTimings,
    private readonly logger: Logger,
  ) {
    this.sender = new KafkaSender(options, logger);
  }

  async start(handler: MessageHandler): Promise<void> {
    const { prefix } = this.options;
    const members = topicsOfGroup[this.group];
    const names = [...members, deadLetterTopic as typeof deadLetterTopic].map((topic) => brokerName(prefix, topic));
    await requireTopics(this.options, names, this.logger);
    this.lanes = kafkaGroupsOf(prefix, this.group).map(({ id, topics }, rank) => {
      const session = {
        brokers: this.options.brokers,
        group: id,
        topics: topics.map((topic) => brokerName(prefix, topic)),
        timings: this.timings,
      };
      return new KafkaLane(
        session,
        (record, gone, commit) => this.deliver(record, handler, rank, gone, commit),
        this.logger,
      );
    });
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
    if (worst.up && heldMs > this.timings.silenceMs) {
      return { ...worst, up: false, detail: `a message has been in hand for ${Math.round(heldMs)} ms` };
    }
    return worst;
  }

  async stop(): Promise<void> {
    this.turnstile.end();
    await Promise.all(this.lanes.map((lane) => lane.stop()));
    await this.sender.stop();
  }

  private async deliver(
    record: KafkaRecord,
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

  private async judge(record: KafkaRecord, handler: MessageHandler): Promise<Verdict> {
    try {
      return await handler(incomingMessage(record, this.options.prefix));
    } catch (error) {
      this.logger.error('a message handler failed', { ...placeOf(record), error });
      return { type: 'later', reason: 'the handler failed' };
    }
  }

  private async obey(verdict: Verdict, record: KafkaRecord, commit: () => Promise<void>): Promise<Delivery> {
    switch (verdict.type) {
      case 'done':
        await commit();
        return 'settled';
      case 'later':
        this.logger.debug('message put off', { ...placeOf(record), reason: verdict.reason });
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
  private async moveAside(record: KafkaRecord, reason: string): Promise<boolean> {
    try {
      await this.sendDeadLetter(record, reason);
      this.logger.warn('message moved to the dead letters', { ...placeOf(record), reason });
      return true;
    } catch (error) {
      this.logger.error('a dead letter could not be stored; its topic waits', { ...placeOf(record), reason, error });
      return false;
    }
  }

  private async sendDeadLetter({ topic, partition, message }: KafkaRecord, reason: string): Promise<void> {
    const { key, value, offset, headers } = message;
    const letter = {
      key,
      value,
      headers: { ...headers, ...deadLetterHeaders(reason, { topic, partition, offset }) },
    };
    const send = (messages: (typeof letter)[]): Promise<void> =>
      this.sender.send(
        [{ topic: brokerName(this.options.prefix, deadLetterTopic), messages }],
        this.options.sendDeadlineMs,
      );
    try {
      await send([letter]);
    } catch (error) {
      if (!(error instanceof MessageRefused) || !value) throw error;
      // A letter that can never be stored would keep its partition for ever. The whole value stays at its old place.
      const shortened = { ...letter.headers, 'x-dead-bytes': String(value.length) };
      await send([{ key, value: value.subarray(0, shortenedBytes), headers: shortened }]);
    }
  }
}

function placeOf({ topic, partition, message }: KafkaRecord): Record<string, unknown> {
  return { topic, partition, offset: message.offset };
}
