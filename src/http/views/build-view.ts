import type { AcceptedBuild } from '../../builds/accept-build.js';
import type { BuildChecks } from '../../builds/check-build.js';
import { describe, type Language } from '../../domain/coded-value.js';
import { IndexStatus, indexStatusTable } from '../../domain/document/index-status.js';
import { Stage, stageTable } from '../../domain/task/stage.js';
import { TaskStatus, taskStatusTable } from '../../domain/task/task-status.js';
import { Actor, actorTable, TaskType, taskTypeTable } from '../../domain/task/task-type.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { CodedField, ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';

/** When a look at a task that was just accepted is worth it, in ms. */
const firstPollMs = 500;

/** A build that was taken on. */
export class AcceptedBuildView {
  @IdTextField({ description: 'The document.', example: '241865211904000002' })
  documentId!: string;

  @IdTextField({ description: 'The plan.', example: '241865211904000003' })
  planId!: string;

  @IdTextField({ description: 'The task; poll it.', example: '241865211904000001' })
  taskId!: string;

  @CodedField({ description: 'What it does.', table: taskTypeTable, example: TaskType.BuildIndex })
  taskType!: CodedView;

  @CodedField({ description: 'How it stands.', table: taskStatusTable, example: TaskStatus.New })
  taskStatus!: CodedView;

  @CodedField({ description: 'How the document stands.', table: indexStatusTable, example: IndexStatus.Building })
  indexStatus!: CodedView;

  @CodedField({ description: 'Where a worker begins.', table: stageTable, example: Stage.ChunkExecute })
  currentStage!: CodedView;

  @TextField({ description: 'The frozen strategies in short form.', example: 'PARENT:1;CHILD:2' })
  strategySnapshot!: string;

  @CodedField({ description: 'Who set it off.', table: actorTable, example: Actor.User })
  triggerSource!: CodedView;

  @IntegerField({ description: 'When to look at the task, in ms.', example: 500, min: 1 })
  nextPollMs!: number;
}

/** One of the four checks. */
export class BuildCheckView {
  @IntegerField({ description: 'Its number; the first that fails decides the refusal.', example: 1, min: 1, max: 4 })
  no!: number;

  @TextField({ description: 'What it checks.', example: 'DOCUMENT_READY' })
  name!: string;

  @FlagField({ description: 'Whether a build would pass it now.', example: false })
  passed!: boolean;

  @TextField({ description: 'Code of the refusal.', example: 'DOCUMENT_NOT_READY', optional: true })
  code?: string;

  @TextField({ description: 'Why it fails.', example: 'The plan of the document is not confirmed.', optional: true })
  detail?: string;

  @TextField({ description: 'What mends it.', example: 'Look at the current plan and confirm it.', optional: true })
  action?: string;
}

/** All four checks, each judged on its own. */
export class BuildChecksView {
  @FlagField({ description: 'All four pass.', example: false })
  allowed!: boolean;

  @ObjectListField({ description: 'The checks in order.' }, () => BuildCheckView)
  checks!: BuildCheckView[];
}

export function acceptedBuildView(build: AcceptedBuild, language: Language): AcceptedBuildView {
  return {
    ...build,
    taskType: describe(taskTypeTable, build.taskType, language),
    taskStatus: describe(taskStatusTable, build.taskStatus, language),
    indexStatus: describe(indexStatusTable, build.indexStatus, language),
    currentStage: describe(stageTable, build.currentStage, language),
    triggerSource: describe(actorTable, build.triggerSource, language),
    nextPollMs: firstPollMs,
  };
}

export function buildChecksView({ allowed, checks }: BuildChecks): BuildChecksView {
  return {
    allowed,
    checks: checks.map((check) => {
      const { no, name, passed } = check;
      if (check.passed) return { no, name, passed };
      return { no, name, passed, code: check.refusal.code, detail: check.refusal.message, action: check.action };
    }),
  };
}
