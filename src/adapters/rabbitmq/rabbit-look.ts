import { StartRefusal } from '../../domain/start-refusal.js';
import type { BrokerLook } from '../../messaging/broker/broker-watch.js';
import { RabbitConnection } from './rabbit-connection.js';
import { describeRabbitError, isForbidden } from './rabbit-errors.js';
import type { RabbitOptions } from './rabbit-options.js';
import { missingQueues } from './rabbit-queues.js';

/** Asks RabbitMQ which queues are missing, and makes them where it may. */
export class RabbitLook implements BrokerLook {
  readonly broker = 'RabbitMQ';
  readonly describeError = describeRabbitError;
  private connection: Promise<RabbitConnection> | undefined;

  /** @param queues full names of what must be there */
  constructor(
    private readonly options: RabbitOptions,
    private readonly queues: readonly string[],
  ) {}

  /** @throws StartRefusal if the broker answers that it must not. */
  async missing(): Promise<readonly string[]> {
    const { url, sendDeadlineMs } = this.options;
    try {
      this.connection ??= RabbitConnection.open(url, 'watch', sendDeadlineMs);
      return await missingQueues(await this.connection, this.options, this.queues);
    } catch (error) {
      if (isForbidden(error)) throw new StartRefusal(`RabbitMQ refuses: ${describeRabbitError(error)}.`);
      throw error;
    }
  }

  async drop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.then(
      (open) => open.cut(),
      () => undefined, // whoever asked was told
    );
  }

  describeMissing(missing: readonly string[]): string {
    return (
      `RabbitMQ has no queue ${missing.join(', ')}. Create what is missing with \`npm run topics\`, ` +
      'or let the service do it with AMQP_DECLARE=on.'
    );
  }
}
