import { FillBatch } from '../builds/fill-batch.js';
import type { AppConfig } from '../config/app-config.js';
import { keysKeptMs } from '../domain/idempotency.js';
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
import { TrimRows } from '../upkeep/trim-rows.js';
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
  const { upkeep, overdue, failures, batches, retention } = repositories;
  const { intervalMs, resendAfterMs, tidyIntervalMs, reconcileIntervalMs, fileSafeAgeMs } = config.upkeep;
  const { sendDeadlineMs } = config.broker;
  const { maxRetryCount } = config.worker;
  const kinds = driftKinds(
    { ...repositories, database, objects, ids },
    { maxRetryCount, resendAfterMs, fileSafeAgeMs, onOutbox: () => relay.wake() },
  );
  const reconcile = new Reconcile(kinds.all, upkeep, logger);
  const { taskLogDays, taskDays, textDays } = config.retention;
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
      ...trimPasses(config, ground),
      new ReconcilePass(reconcile, reconcileIntervalMs),
    ],
    reconcile,
  };
}

/** The passes for rows that only their age keeps. */
function trimPasses({ upkeep, retention }: AppConfig, { repositories }: Ground): readonly UpkeepPass[] {
  const { keys, outbox, letters } = repositories;
  const { tidyIntervalMs: intervalMs } = upkeep;
  const days = (count: number): number => count * 86_400_000;
  return [
    new TrimRows({ name: 'trim-idempotency-keys', keepMs: keysKeptMs, intervalMs: 60_000 }, keys.trim.bind(keys)),
    new TrimRows({ name: 'trim-outbox', keepMs: days(retention.outboxDays), intervalMs }, outbox.trim.bind(outbox)),
    new TrimRows(
      { name: 'trim-dead-letters', keepMs: days(retention.letterDays), intervalMs },
      letters.trim.bind(letters),
    ),
  ];
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
