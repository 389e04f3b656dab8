import type { HeldTask, WorkerRow } from '../../database/repositories/worker-repository.js';
import { describe, type Language } from '../../domain/coded-value.js';
import { Stage, stageTable } from '../../domain/task/stage.js';
import { TaskType, taskTypeTable } from '../../domain/task/task-type.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { CodedField, JsonObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { timeText, type TimeText } from './time.js';

/** A task in a worker's hands. */
export class HeldTaskView {
  @IdTextField({ description: 'The task.', example: '241865211904000003' })
  taskId!: string;

  @IdTextField({
    description: 'Its document; null where a base is deleted.',
    example: '241865211904000002',
    nullable: true,
  })
  documentId!: string | null;

  @CodedField({ description: 'What it does.', table: taskTypeTable, example: TaskType.BuildIndex })
  taskType!: CodedView;

  @CodedField({ description: 'Where it stands.', table: stageTable, example: Stage.Vectorize })
  currentStage!: CodedView;

  @IntegerField({ description: 'Which attempt.', example: 1, min: 1 })
  attempt!: number;

  @TimeField({ description: 'Until then nobody else takes it.', example: '2026-03-01T08:00:10.000Z' })
  leaseUntil!: TimeText;
}

/** A worker process. */
export class WorkerView {
  @IdTextField({ description: 'As it stands in the log of its tasks.', example: '241865211904000009' })
  workerId!: string;

  @TextField({ description: 'The machine that it runs on.', example: 'worker-1' })
  host!: string;

  @IntegerField({ description: 'Its process id there.', example: 4_242, min: 1 })
  pid!: number;

  @JsonObjectField({ description: 'Tasks that it works on at once, by kind.', example: { parse: 2, index: 2 } })
  slots!: object;

  @FlagField({ description: 'Whether it said so lately.', example: true })
  alive!: boolean;

  @TimeField({ description: 'When it started.', example: '2026-03-01T08:00:00.000Z' })
  startedAt!: TimeText;

  @TimeField({ description: 'When it counts as dead if it stays silent.', example: '2026-03-01T08:00:10.000Z' })
  aliveUntil!: TimeText;

  @ObjectListField({ description: 'What it holds.' }, () => HeldTaskView)
  holds!: HeldTaskView[];
}

export function workerView(worker: WorkerRow, language: Language): WorkerView {
  const { id, startedAt, aliveUntil, holds, ...plain } = worker;
  return {
    workerId: id,
    ...plain,
    startedAt: timeText(startedAt),
    aliveUntil: timeText(aliveUntil),
    holds: holds.map((task) => heldTaskView(task, language)),
  };
}

function heldTaskView({ leaseUntilMs, ...task }: HeldTask, language: Language): HeldTaskView {
  return {
    ...task,
    taskType: describe(taskTypeTable, task.taskType, language),
    currentStage: describe(stageTable, task.currentStage, language),
    leaseUntil: timeText(new Date(leaseUntilMs)),
  };
}
