import type { Database, TransactionContext } from '../../database/database.js';
import type { BuildAcceptanceRepository } from '../../database/repositories/build-acceptance-repository.js';
import type { StatusDriftRepository } from '../../database/repositories/drift/status-drift-repository.js';
import type { VersionDriftRepository } from '../../database/repositories/drift/version-drift-repository.js';
import type { OutboxRepository } from '../../database/repositories/outbox-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { Actor, TaskType } from '../../domain/task/task-type.js';
import { taskMessage } from '../../messaging/task-message.js';
import { presentTrace } from '../../tracing/trace-scope.js';
import type { DriftKind } from './drift-kind.js';

export interface VersionDriftParts {
  readonly database: Database;
  readonly versionDrift: VersionDriftRepository;
  readonly statusDrift: StatusDriftRepository;
  readonly acceptances: BuildAcceptanceRepository;
  readonly outbox: OutboxRepository;
  readonly ids: { next(): Id };
}

export interface RebuildOptions {
  readonly maxRetryCount: number;
}

/** Served versions that are not there, not the one that is named, or not whole. */
export function versionDrift(parts: VersionDriftParts, options: RebuildOptions): readonly DriftKind[] {
  const { database, versionDrift: versions, statusDrift: statuses } = parts;
  const kind = (
    name: string,
    scan: () => AsyncIterable<readonly string[]>,
    work: (tx: TransactionContext, id: string) => Promise<boolean>,
  ): DriftKind => ({ name, mendedBy: 'upkeep', scan, settle: (id) => database.transaction((tx) => work(tx, id)) });
  const agree = (name: string) => async (tx: TransactionContext, documentId: string) => {
    const settled = await versions.settleActive(tx, documentId);
    if (settled) await statuses.settleIndex(tx, documentId, name);
    return settled;
  };
  const rebuild = (tx: TransactionContext, id: string): Promise<boolean> => rebuildServed(tx, id, parts, options);
  return [
    kind('ACTIVE_VERSION_MISSING', () => versions.activeMissing(), agree('ACTIVE_VERSION_MISSING')),
    kind('ACTIVE_VERSION_UNNAMED', () => versions.activeUnnamed(), agree('ACTIVE_VERSION_UNNAMED')),
    kind('CHUNK_COUNTS_DISAGREE', () => versions.chunkCountsDisagree(), rebuild),
    kind('VECTORS_MISSING', () => versions.vectorsMissing(), rebuild),
    kind(
      'VECTORS_SURPLUS',
      () => versions.vectorsSurplus(),
      (tx, id) => versions.removeSurplus(tx, id),
    ),
  ];
}

/**
 * Has the served version built once more from what was confirmed for it; it serves on until then. Only once: if that
 * fails, the document says why, and a person decides.
 */
async function rebuildServed(
  tx: TransactionContext,
  documentId: Id,
  parts: VersionDriftParts,
  { maxRetryCount }: RebuildOptions,
): Promise<boolean> {
  const build = await parts.versionDrift.lockServedBuild(tx, documentId);
  if (!build) return false;
  const { buildSpec, ...what } = build;
  const task = {
    ...what,
    buildSpec,
    id: parts.ids.next(),
    taskType: TaskType.RebuildIndex,
    priority: TaskPriority.Bulk,
    currentStage: Stage.ChunkExecute,
    triggerSource: Actor.System,
    maxRetryCount,
    trace: presentTrace(),
  };
  await parts.acceptances.accept(tx, task, buildSpec);
  await parts.outbox.append(tx, [taskMessage(task)]);
  return true;
}
