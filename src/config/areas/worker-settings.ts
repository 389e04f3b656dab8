import { integer } from '../setting.js';

/** Workers, leases and retries. */
export const workerSettings = {
  indexSlots: integer('INDEX_SLOTS', 2, { min: 1, max: 64, doc: 'Builds that one worker process runs at once.' }),
  parseSlots: integer('PARSE_SLOTS', 2, { min: 1, max: 64, doc: 'Parses that one worker process runs at once.' }),
  deleteSlots: integer('DELETE_SLOTS', 1, { min: 1, max: 64, doc: 'Deletions that one worker process runs at once.' }),
  leaseMs: integer('LEASE_MS', 10_000, {
    min: 1_000,
    max: 600_000,
    unit: 'ms',
    doc: 'How long a silent worker keeps its task.',
  }),
  findEveryMs: integer('FIND_INTERVAL_MS', 1_000, {
    min: 100,
    max: 60_000,
    unit: 'ms',
    doc: 'Pause between two looks of a worker with free slots for tasks that no message led to.',
  }),
  findAfterMs: integer('FIND_AFTER_MS', 3_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'When a worker takes a task that was sent and not claimed without its message.',
  }),
  stalledAfterMs: integer('STALLED_AFTER_MS', 300_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'When a running task that gets no further is told as STALLED.',
  }),
  maxRetryCount: integer('MAX_RETRY_COUNT', 3, { min: 0, max: 100, doc: 'Automatic retries of a task.' }),
  retryDelayMs: integer('RETRY_DELAY_MS', 2_000, {
    min: 10,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Delay before the first retry; it doubles each time.',
  }),
  retryDelayMaxMs: integer('RETRY_DELAY_MAX_MS', 300_000, {
    min: 10,
    max: 86_400_000,
    unit: 'ms',
    doc: 'Longest delay before a retry.',
  }),
  embedBatch: integer('EMBED_BATCH', 32, {
    min: 1,
    max: 1_000,
    unit: 'chunks',
    doc: 'Chunks embedded and stored in one step; what a crash can cost.',
  }),
} as const;
