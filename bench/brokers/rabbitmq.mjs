import { connect } from 'amqplib';
import { createQueues } from '../../dist/src/adapters/rabbitmq/create-queues.js';
import { RabbitConsumers } from '../../dist/src/adapters/rabbitmq/rabbit-consumers.js';
import { RabbitPublisher } from '../../dist/src/adapters/rabbitmq/rabbit-publisher.js';
import { allQueues, queueFor, queuesOf } from '../../dist/src/adapters/rabbitmq/rabbit-queues.js';
import { silentLogger } from '../../dist/src/logging/logger.js';
import { AdapterSide } from './adapter-side.mjs';

/** Messages of a queue that the reader by hand has in hand; the adapter has one. */
const ahead = Number(process.env.AHEAD ?? 1);

export async function open(prefix) {
  const url = process.env.AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672';
  const queueType = process.env.AMQP_QUEUES ?? 'quorum';
  const options = { url, prefix, partitions: 3, queueType, declares: false, sendDeadlineMs: 10_000 };
  const own = { ...options, prefix: `${prefix}-by-hand` };
  await createQueues(options);
  await createQueues(own);
  const connection = await connect(url, { noDelay: true });
  const publisher = new RabbitPublisher(options, silentLogger);
  await publisher.start();
  return {
    byHand: new RabbitByHand(connection, await connection.createConfirmChannel(), own),
    adapter: new AdapterSide(publisher, new RabbitConsumers(options, silentLogger)),
    async close() {
      await publisher.stop();
      const channel = await connection.createChannel();
      for (const queue of [...allQueues(options), ...allQueues(own)]) await channel.deleteQueue(queue);
      await connection.close();
    },
  };
}

/** Queues of the same kind, a confirmation for every message, and one acknowledgement for every message that was read. */
class RabbitByHand {
  constructor(connection, channel, options) {
    this.connection = connection;
    this.channel = channel;
    this.options = options;
  }

  send({ topic, key, value, headers }) {
    const content = Buffer.from(JSON.stringify(value));
    const queue = queueFor(this.options, topic, key);
    return new Promise((resolve, reject) => {
      const settle = (error) => (error ? reject(error) : resolve());
      this.channel.sendToQueue(queue, content, { persistent: true, mandatory: true, headers }, settle);
    });
  }

  async consume(onMessage) {
    const channel = await this.connection.createChannel();
    await channel.prefetch(ahead);
    for (const queue of queuesOf(this.options, 'document-index-build')) {
      await channel.consume(queue, (message) => {
        onMessage();
        channel.ack(message);
      });
    }
    return () => channel.close();
  }
}
