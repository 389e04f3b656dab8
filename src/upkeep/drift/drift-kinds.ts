import type { PlanDriftRepository } from '../../database/repositories/drift/plan-drift-repository.js';
import { planDrift, statusDrift } from './document-drift.js';
import type { DriftKind } from './drift-kind.js';
import { missingFiles, ownerlessFiles, type FileDriftParts } from './file-drift.js';
import { leftOverVersions, orphanDrift, type OrphanDriftParts } from './orphan-drift.js';
import { taskDrift, type TaskDriftOptions, type TaskDriftParts } from './task-drift.js';
import { versionDrift, type RebuildOptions, type VersionDriftParts } from './version-drift.js';

/** Garbage that is still there after this time shows that the pass that removes it does not get through. */
const leftOverMs = 3_600_000;

export type DriftParts = TaskDriftParts &
  VersionDriftParts &
  OrphanDriftParts &
  FileDriftParts & { readonly planDrift: PlanDriftRepository };

export interface DriftOptions extends TaskDriftOptions, RebuildOptions {
  readonly fileSafeAgeMs: number;
}

/** Every kind of drift: all of them for reconciliation, and by name those that passes of their own mend at once. */
export function driftKinds(parts: DriftParts, options: DriftOptions) {
  const statuses = statusDrift(parts.database, parts.statusDrift);
  const files = ownerlessFiles(parts, options.fileSafeAgeMs);
  // What is served comes first: statuses are judged by it.
  const all: readonly DriftKind[] = [
    ...versionDrift(parts, options),
    ...Object.values(statuses),
    ...planDrift(parts.database, parts.planDrift),
    ...taskDrift(parts, options),
    ...orphanDrift(parts),
    leftOverVersions(parts, leftOverMs),
    missingFiles(parts),
    files,
  ];
  return { all, ...statuses, ownerlessFiles: files, droppableVersions: leftOverVersions(parts, 0) };
}
