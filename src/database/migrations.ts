import { Spine1764500000000 } from '../../migrations/1764500000000-spine.js';
import { TaskLogCommitOrder1764800100000 } from '../../migrations/1764800100000-task-log-commit-order.js';
import { IdempotencyKeys1764800200000 } from '../../migrations/1764800200000-idempotency-keys.js';
import { Batch1764800300000 } from '../../migrations/1764800300000-batch.js';
import { TaskEngine1764800400000 } from '../../migrations/1764800400000-task-engine.js';
import { Drift1764800500000 } from '../../migrations/1764800500000-drift.js';
import { DeadLetters1764800600000 } from '../../migrations/1764800600000-dead-letters.js';
import { SettledLetters1764800700000 } from '../../migrations/1764800700000-settled-letters.js';
import { TaskPriority1764800800000 } from '../../migrations/1764800800000-task-priority.js';
import { RawValues1764800900000 } from '../../migrations/1764800900000-raw-values.js';
import { Trace1764801000000 } from '../../migrations/1764801000000-trace.js';

/** Every migration, oldest first. A new one is added here, beside its file in `migrations/`. */
export const migrations = [
  Spine1764500000000,
  TaskLogCommitOrder1764800100000,
  IdempotencyKeys1764800200000,
  Batch1764800300000,
  TaskEngine1764800400000,
  Drift1764800500000,
  DeadLetters1764800600000,
  SettledLetters1764800700000,
  TaskPriority1764800800000,
  RawValues1764800900000,
  Trace1764801000000,
];
