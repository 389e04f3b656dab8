import { optionalUrl, text } from '../setting.js';

/** A Redis that makes some things faster; nothing depends on it. */
export const redisSettings = {
  url: optionalUrl('REDIS_URL', ['redis', 'rediss'], {
    doc: 'Redis 6.2 or later. Faster with it, correct without it; unset does without.',
    secret: true,
  }),
  prefix: text('REDIS_PREFIX', 'indexwright', {
    doc: 'First part of every key and channel in Redis; one per environment.',
  }),
} as const;
