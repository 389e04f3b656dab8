import { FillBatch } from '../builds/fill-batch.js';
import type { AppConfig } from '../config/app-config.js';
import { DropVersions } from '../upkeep/drop-versions.js';
import { EndOverdue } from '../upkeep/end-overdue.js';
import { FillBatches } from '../upkeep/fill-batches.js';
import { ResendTasks } from '../upkeep/resend-tasks.js';
import { TakeBackExpired } from '../upkeep/take-back-expired.js';
import { TrimIdempotencyKeys } from '../upkeep/trim-idempotency-keys.js';
import { Upkeep } from '../upkeep/upkeep.js';
import { buildRules } from './build-rules.js';
import type { Ground } from './ground.js';
import type { Lifecycle } from './lifecycle.js';
import type { TextParts } from './text-parts.js';

/** Starts the timed passes. */
export function startUpkeep(config: AppConfig, ground: Ground, text: TextParts, lifecycle: Lifecycle): void {
  const { database, publisher, repositories } = ground;
  const { upkeep, overdue, failures, versions, chunks, batches, keys } = repositories;
  const logger = lifecycle.logger.child({ part: 'upkeep' });
  const { intervalMs, resendAfterMs } = config.upkeep;
  const { sendDeadlineMs } = config.broker;
  const passes = [
    new TakeBackExpired(database, upkeep, failures, intervalMs),
    new EndOverdue(database, overdue, failures, { intervalMs, graceMs: config.worker.leaseMs }),
    new ResendTasks(upkeep, publisher, logger, { intervalMs, resendAfterMs, sendDeadlineMs }),
    new DropVersions(database, versions, chunks, intervalMs),
    new FillBatches(database, batches, fillBatch(config, ground, text), logger, intervalMs),
    new TrimIdempotencyKeys(keys),
  ];
  const rounds = new Upkeep(passes, upkeep, logger, intervalMs);
  lifecycle.add('upkeep', () => rounds.stop());
  lifecycle.watch('upkeep', () => ({ up: true, ...aged(rounds.progressAgeMs()) }));
  rounds.start();
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

/** Starts the relay of the outbox. */
export function startRelay({ relay }: Ground, lifecycle: Lifecycle): void {
  lifecycle.add('relay', () => relay.stop());
  lifecycle.watch('relay', () => ({ up: true, ...aged(relay.progressAgeMs()) }));
  relay.start();
}

function aged(ms: number | undefined): { lastProgressAgeMs?: number } {
  return ms === undefined ? {} : { lastProgressAgeMs: Math.round(ms) };
}
