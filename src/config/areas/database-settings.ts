import { integer, optionalUrl } from '../setting.js';

/** The database. Without a URL the embedded one in the data folder is used. */
export const databaseSettings = {
  url: optionalUrl('DATABASE_URL', ['postgres', 'postgresql'], {
    doc: 'PostgreSQL 15 or later with pgvector; unset uses the embedded database.',
    secret: true,
  }),
  poolSize: integer('DATABASE_POOL_SIZE', 10, {
    min: 2,
    max: 200,
    unit: 'connections',
    doc: 'Connections per process (PostgreSQL only).',
  }),
  connectTimeoutMs: integer('DATABASE_CONNECT_TIMEOUT_MS', 5_000, {
    min: 100,
    max: 120_000,
    unit: 'ms',
    doc: 'How long to wait for a free connection.',
  }),
  statementTimeoutMs: integer('DATABASE_STATEMENT_TIMEOUT_MS', 30_000, {
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Longest statement.',
  }),
} as const;
