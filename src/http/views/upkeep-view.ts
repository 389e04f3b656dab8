import type { PassCounts } from '../../upkeep/upkeep-pass.js';
import type { Finding, ReconcileReport } from '../../upkeep/reconcile.js';
import { IntegerField } from '../fields/number-fields.js';
import { JsonObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField, TextListField, TimeField } from '../fields/text-fields.js';
import { timeText, type TimeText } from './time.js';

/** What a pass of upkeep did. */
export class PassRunView {
  @TextField({ description: 'Which pass.', example: 'stale-building' })
  pass!: string;

  @JsonObjectField({ description: 'What it did, by name.', example: { found: 1, settled: 1 } })
  counts!: PassCounts;
}

/** What one kind of drift came to. */
export class FindingView {
  @TextField({ description: 'The kind of drift.', example: 'BUILDING_WITHOUT_TASK' })
  kind!: string;

  @IntegerField({ description: 'How many there are.', example: 1, min: 1 })
  count!: number;

  @TextListField({ description: 'The first of them, by id.', example: ['241865211904000002'] })
  ids!: string[];

  @IntegerField({ description: 'How many of them were mended.', example: 1, min: 0 })
  repaired!: number;
}

/** What a reconciliation found. */
export class ReconcileView {
  @TimeField({ description: 'When it began.', example: '2026-03-01T08:00:00.000Z' })
  startedAt!: TimeText;

  @TimeField({ description: 'When it was done.', example: '2026-03-01T08:00:01.000Z' })
  finishedAt!: TimeText;

  @ObjectListField({ description: 'By kind; kinds of which nothing was found are left out.' }, () => FindingView)
  findings!: FindingView[];

  @TextListField({ description: 'Kinds that could not be looked through to the end.', example: [] })
  incomplete!: string[];
}

export function passRunView(pass: string, counts: PassCounts): PassRunView {
  return { pass, counts };
}

export function reconcileView({ startedAt, finishedAt, findings, incomplete }: ReconcileReport): ReconcileView {
  return {
    startedAt: timeText(startedAt),
    finishedAt: timeText(finishedAt),
    findings: findings.map(findingView),
    incomplete: [...incomplete],
  };
}

function findingView({ kind, count, ids, repaired }: Finding): FindingView {
  return { kind, count, ids: [...ids], repaired };
}
