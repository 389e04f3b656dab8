/** Starts and stops all that talks to Kafka, reports, and does nothing to end. */
import { KafkaConsumers } from '../../adapters/kafka/kafka-consumers.js';
import { KafkaPublisher } from '../../adapters/kafka/kafka-publisher.js';
import { silentLogger } from '../../logging/logger.js';
import { ConsumerGroup } from '../../messaging/topic.js';

const [address = '', prefix = ''] = process.argv.slice(2);
const options = { brokers: [address], prefix, sendDeadlineMs: 1_000 };
const publisher = new KafkaPublisher(options, silentLogger);
const consumer = new KafkaConsumers(options, silentLogger).create(ConsumerGroup.Index);
await publisher.start();
await consumer.start(() => Promise.resolve({ type: 'done' }));
await Promise.all([publisher.stop(), consumer.stop()]);
process.send?.('stopped');
process.disconnect();
