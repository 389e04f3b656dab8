import type { Logger } from '../../logging/logger.js';
import { withDeadline } from '../deadline.js';
import type { MessageConsumer, MessageConsumers } from '../message-consumer.js';
import type { ConsumerGroup, Topic } from '../topic.js';
import { DrainedConsumer } from './drained-consumer.js';
import type { Remainder, Survey } from './remainder.js';

/** How long what was found there is taken to be so, in ms. */
const freshMs = 60_000;

/** A broker to which nothing is sent any more, and which is read until it is empty. It may be away, also for good. */
export class DrainedBroker implements MessageConsumers {
  private last: { readonly remainder: Remainder; readonly at: number } | undefined;

  constructor(
    /** As in `BROKER`. */
    readonly name: string,
    private readonly survey: Survey,
    private readonly surveyMs: number,
    private readonly logger: Logger,
  ) {}

  /** What was not there when it last answered, by its own names. */
  get missing(): readonly string[] {
    return this.last?.remainder.missing ?? [];
  }

  create(group: ConsumerGroup): MessageConsumer {
    const logger = this.logger.child({ part: 'drain', broker: this.name, group });
    return new DrainedConsumer(() => this.look(this.surveyMs), group, logger);
  }

  /** Of what is there. */
  async lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    try {
      return await withDeadline(deadlineMs, async () => {
        const isFresh = this.last && performance.now() - this.last.at < freshMs;
        const { consumers } = isFresh && this.last ? this.last.remainder : await this.look(deadlineMs);
        return consumers.lag(deadlineMs);
      });
    } catch (error) {
      this.last = undefined;
      throw error;
    }
  }

  private async look(deadlineMs: number): Promise<Remainder> {
    const remainder = await this.survey(deadlineMs);
    this.last = { remainder, at: performance.now() };
    return remainder;
  }
}
