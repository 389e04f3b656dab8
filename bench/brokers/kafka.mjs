import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { KafkaConsumers } from '../../dist/src/adapters/kafka/kafka-consumers.js';
import { KafkaPublisher } from '../../dist/src/adapters/kafka/kafka-publisher.js';
import { createTopics, topicNames } from '../../dist/src/adapters/kafka/kafka-topics.js';
import { silentLogger } from '../../dist/src/logging/logger.js';
import { AdapterSide } from './adapter-side.mjs';

export async function open(prefix) {
  const brokers = (process.env.KAFKA_BROKERS ?? '127.0.0.1:9092').split(',');
  const options = { brokers, prefix, sendDeadlineMs: 10_000 };
  await createTopics(options, { partitions: 3, replication: 1 }, silentLogger);
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
  });
  await Promise.all([admin.connect(), producer.connect()]);
  const topic = `${prefix}-by-hand`;
  await admin.createTopics({ topics: [{ topic, numPartitions: 3 }], waitForLeaders: true });
  const publisher = new KafkaPublisher(options, silentLogger);
  await publisher.start();
  return {
    byHand: new KafkaByHand(kafka, producer, topic),
    adapter: new AdapterSide(publisher, new KafkaConsumers(options, silentLogger)),
    async close() {
      await Promise.all([publisher.stop(), producer.disconnect()]);
      await admin.deleteTopics({ topics: [topic, ...topicNames(prefix)] });
      await admin.disconnect();
    },
  };
}

/** One message a request, acknowledged by all replicas; read message by message, committed as kafkajs does by itself. */
class KafkaByHand {
  constructor(kafka, producer, topic) {
    this.kafka = kafka;
    this.producer = producer;
    this.topic = topic;
  }

  send({ key, value, headers }) {
    const messages = [{ key, value: JSON.stringify(value), headers }];
    return this.producer.send({ topic: this.topic, acks: -1, messages });
  }

  async consume(onMessage) {
    const consumer = this.kafka.consumer({ groupId: `${this.topic}-group`, maxWaitTimeInMs: 250 });
    await consumer.connect();
    await consumer.subscribe({ topic: this.topic, fromBeginning: true });
    await consumer.run({ eachMessage: async () => onMessage() });
    return () => consumer.disconnect();
  }
}
