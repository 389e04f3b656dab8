import type { Admin } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import type { BrokerLook } from '../../messaging/broker/broker-watch.js';
import { settlesWithin } from '../../messaging/deadline.js';
import { KafkaClient } from './kafka-client.js';
import { describeKafkaError } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';
import { missingTopics } from './kafka-topics.js';

/** Asks Kafka which topics are missing. */
export class KafkaLook implements BrokerLook {
  readonly broker = 'Kafka';
  readonly describeError = describeKafkaError;
  private connection: { client: KafkaClient; admin: Admin } | undefined;

  /** @param names full names of what must be there */
  constructor(
    private readonly options: KafkaOptions,
    private readonly names: readonly string[],
    private readonly logger: Logger,
  ) {}

  async missing(): Promise<readonly string[]> {
    const { sendDeadlineMs: requestMs } = this.options;
    if (!this.connection) {
      const client = new KafkaClient({ ...this.options, requestMs, retries: 0 }, this.logger);
      const admin = client.kafka.admin({ retry: { retries: 0 } });
      this.connection = { client, admin };
      await admin.connect();
    }
    return missingTopics(this.connection.admin, this.names);
  }

  async drop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    if (!connection) return;
    connection.client.cut();
    await settlesWithin(1_000, connection.admin.disconnect());
  }

  describeMissing(missing: readonly string[]): string {
    return `Kafka has no topic ${missing.join(', ')}. Create what is missing with \`npm run topics\`.`;
  }
}
