import { readFileSync } from 'node:fs';
import type { KafkaOptions } from '../adapters/kafka/kafka-options.js';
import type { AppConfig } from '../config/app-config.js';
import { StartRefusal } from '../domain/start-refusal.js';

/** What Kafka's clients are made with. @throws StartRefusal if the certificates cannot be read. */
export function kafkaOptions({ broker, kafka }: Pick<AppConfig, 'broker' | 'kafka'>): KafkaOptions {
  const { kafkaBrokers: brokers, prefix, sendDeadlineMs } = broker;
  const { sasl: mechanism, username = '', password = '' } = kafka;
  return {
    brokers,
    prefix,
    sendDeadlineMs,
    compress: kafka.compression === 'gzip',
    ...(kafka.tls === 'on' ? { tls: kafka.caFile ? { ca: certificates(kafka.caFile) } : {} } : {}),
    ...(mechanism === 'none' ? {} : { sasl: { mechanism, username, password } }),
  };
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StartRefusal(`KAFKA_TLS_CA names ${file}, which cannot be read.`, { cause });
  }
}
