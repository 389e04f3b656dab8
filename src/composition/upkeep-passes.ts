import { FillBatch } from '../builds/fill-batch.js';
import type { AppConfig } from '../config/app-config.js';
import type { Logger } from '../logging/logger.js';
import { ChorePass } from '../upkeep/chore-pass.js';
import { driftKinds } from '../upkeep/drift/drift-kinds.js';
import { EndOverdue } from '../upkeep/end-overdue.js';
import { FillBatches } from '../upkeep/fill-batches.js';
import { oldLogs, oldTasks, oldTexts } from '../upkeep/old-rows.js';
import { Reconcile } from '../upkeep/reconcile.js';
import { ReconcilePass } from '../upkeep/reconcile-pass.js';
import { ResendTasks } from '../upkeep/resend-tasks.js';
import { SweepUploads } from '../upkeep/sweep-uploads.js';
import { TakeBackExpired } from '../upkeep/take-back-expired.js';
import { TrimIdempotencyKeys } from '../upkeep/trim-idempotency-keys.js';
import { TrimOutbox } from '../upkeep/trim-outbox.js';
import type { UpkeepPass } from '../upkeep/upkeep-pass.js';
import { buildRules } from './build-rules.js';
import type { Ground } from './ground.js';
import type { TextParts } from './text-parts.js';

/** Everything that upkeep does, on a timer or when asked for. */
export interface UpkeepPasses {
  /** Short ones, which get tasks going again: nothing may keep them waiting. */
  readonly prompt: readonly UpkeepPass[];
  /** Those that may take their time. */
  readonly patient: readonly UpkeepPass[];
  readonly reconcile: Reconcile;
}

/** Constructs the passes of a process. */
export function upkeepPasses(config: AppConfig, ground: Ground, text: TextParts, logger: Logger): UpkeepPasses {
  const { database, publisher, objects, ids, relay, repositories } = ground;
  const { upkeep, overdue, failures, batches, keys, outbox, retention } = repositories;
  const { intervalMs, resendAfterMs, tidyIntervalMs, reconcileIntervalMs, fileSafeAgeMs } = config.upkeep;
  const { sendDeadlineMs } = config.broker;
  const { maxRetryCount } = config.worker;
  const kinds = driftKinds(
    { ...repositories, database, objects, ids },
    { maxRetryCount, resendAfterMs, fileSafeAgeMs, onOutbox: () => relay.wake() },
  );
  const reconcile = new Reconcile(kinds.all, upkeep, logger);
  const { taskLogDays, taskDays, textDays, outboxDays } = config.retention;
  return {
    prompt: [
      new TakeBackExpired(database, upkeep, failures, logger, intervalMs),
      new EndOverdue(database, overdue, failures, logger, { intervalMs, graceMs: config.worker.leaseMs }),
      new ResendTasks(upkeep, publisher, logger, { intervalMs, resendAfterMs, sendDeadlineMs }),
      new FillBatches(database, batches, fillBatch(config, ground, text), logger, intervalMs),
      new ChorePass('stale-building', kinds.buildingWithoutTask, logger, intervalMs),
      new ChorePass('stale-parsing', kinds.parsingWithoutTask, logger, intervalMs),
    ],
    patient: [
      new ChorePass('drop-versions', kinds.droppableVersions, logger, intervalMs),
      new ChorePass('orphaned-files', kinds.ownerlessFiles, logger, tidyIntervalMs),
      new SweepUploads(objects, tidyIntervalMs),
      new ChorePass('trim-task-logs', oldLogs(database, retention, taskLogDays), logger, tidyIntervalMs),
      new ChorePass('trim-tasks', oldTasks(database, retention, taskDays), logger, tidyIntervalMs),
      new ChorePass('trim-texts', oldTexts(database, retention, textDays), logger, tidyIntervalMs),
      new TrimIdempotencyKeys(keys),
      new TrimOutbox(outbox, outboxDays, tidyIntervalMs),
      new ReconcilePass(reconcile, reconcileIntervalMs),
    ],
    reconcile,
  };
}

function fillBatch(config: AppConfig, ground: Ground, text: TextParts): FillBatch {
  const { database, repositories, ids, relay } = ground;
  const { batches, acceptances, commands, outbox } = repositories;
  return new FillBatch(
    { database, batches, acceptances, commands, outbox, ids, ...buildRules(text) },
    {
      ahead: config.upkeep.batchAhead,
      maxRetryCount: config.worker.maxRetryCount,
      onOutbox: () => relay.wake(),
    },
  );
}
