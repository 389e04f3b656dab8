import { integer, optionalUrl, text } from '../setting.js';

/** A Redis that makes some things faster, where nothing depends on it, or carries the messages. */
export const redisSettings = {
  url: optionalUrl('REDIS_URL', ['redis', 'rediss'], {
    doc: 'Redis 6.2 or later. Faster with it, correct without it; as the broker, 7 or later.',
    secret: true,
  }),
  prefix: text('REDIS_PREFIX', 'indexwright', {
    doc: 'First part of every key and channel in Redis but those of messages; one per environment.',
  }),
  deadLettersKept: integer('REDIS_DEAD_LETTERS', 10_000, {
    min: 1,
    max: 10_000_000,
    doc: 'As the broker: how many messages that were moved aside are kept, about; the oldest go.',
  }),
} as const;
