import { choice, optionalText } from '../setting.js';

/** How to be let in by Kafka, and what it is sent. */
export const kafkaSettings = {
  tls: choice('KAFKA_TLS', ['off', 'on'], 'off', { doc: 'Whether connections to Kafka are encrypted.' }),
  caFile: optionalText('KAFKA_TLS_CA', {
    doc: 'File with the certificates (PEM) that its own must come from; those that Node.js trusts if unset.',
  }),
  sasl: choice('KAFKA_SASL', ['none', 'plain', 'scram-sha-256', 'scram-sha-512'], 'none', {
    doc: 'How the service says to Kafka who it is.',
  }),
  username: optionalText('KAFKA_USERNAME', { doc: 'Name for KAFKA_SASL.' }),
  password: optionalText('KAFKA_PASSWORD', { doc: 'Password for KAFKA_SASL.', secret: true }),
  compression: choice('KAFKA_COMPRESSION', ['none', 'gzip'], 'none', {
    doc: 'Of what is sent. Messages are small: it pays where the network does not.',
  }),
} as const;
