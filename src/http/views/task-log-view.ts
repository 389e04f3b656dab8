import { describe, type Language } from '../../domain/coded-value.js';
import { Stage, stageTable } from '../../domain/task/stage.js';
import { TaskEvent, taskEventTable } from '../../domain/task/task-event.js';
import { Actor, actorTable } from '../../domain/task/task-type.js';
import type { TaskLogRow } from '../../database/repositories/task-log-repository.js';
import { IdTextField } from '../fields/id-fields.js';
import { CodedField, JsonObjectField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { timeText, type TimeText } from './time.js';

/** One line of a task's history. */
export class TaskLogView {
  @TimeField({ description: 'When it happened.', example: '2026-03-01T08:00:00.000Z' })
  at!: TimeText;

  @CodedField({ description: 'The stage the task was in.', table: stageTable, example: Stage.ChunkExecute })
  stage!: CodedView;

  @ChoiceField({ description: 'What happened.', example: 'START', options: Object.values(TaskEvent) })
  eventType!: string;

  @ChoiceField({ description: 'How loud it is.', example: 'INFO', options: ['INFO', 'WARN', 'ERROR'] })
  level!: string;

  @CodedField({ description: 'Who did it.', table: actorTable, example: Actor.User })
  operatorType!: CodedView;

  @IdTextField({ description: 'Which person.', example: '4711', optional: true })
  operatorId?: string;

  @TextField({ description: 'In words, in the language of Accept-Language.', example: 'The task was accepted' })
  message!: string;

  @JsonObjectField({ description: 'The figures behind the message.', example: { planId: '241865211904000003' } })
  metadata!: object;
}

export function taskLogView(line: TaskLogRow, language: Language): TaskLogView {
  const { level, text } = taskEventTable[line.event];
  return {
    at: timeText(line.at),
    stage: describe(stageTable, line.stage, language),
    eventType: line.event,
    level,
    operatorType: describe(actorTable, line.actor, language),
    ...(line.operatorId === null ? {} : { operatorId: line.operatorId }),
    message: filled(text[language], line.metadata),
    metadata: line.metadata,
  };
}

/** Puts figures in the place of `{name}`; what is missing is left out. */
function filled(sentence: string, figures: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const figure = figures[name];
    return typeof figure === 'string' || typeof figure === 'number' ? String(figure) : '…';
  });
}
