import type { DeadLetter } from '../../database/repositories/dead-letter-repository.js';
import type { Language } from '../../domain/coded-value.js';
import { DeadLetterKind, deadLetterKinds, deadLetterStates } from '../../domain/dead-letter.js';
import { nextStepOf } from '../../domain/errors.js';
import { IdTextField } from '../fields/id-fields.js';
import { IntegerField } from '../fields/number-fields.js';
import { JsonObjectField, ObjectField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TimeField } from '../fields/text-fields.js';
import { timeText, type TimeText } from './time.js';

/** The task that a letter is about. */
export class DeadTaskView {
  @IdTextField({ description: 'The task.', example: '241865211904000001' })
  taskId!: string;

  @IdTextField({
    description: 'Its document; null where a whole base is deleted.',
    example: '241865211904000002',
    nullable: true,
  })
  documentId!: string | null;

  @IntegerField({ description: 'The attempt that was the last.', example: 4, min: 0 })
  attempt!: number;

  @TextField({ description: 'Stable code of what ended it.', example: 'EMBEDDING_FAILED' })
  code!: string;

  @TextField({ description: 'What a person can do.', example: 'Check the embedding model, then retry.' })
  nextStep!: string;
}

/** The message that a letter holds. Its texts are cut to a bound, and what is no text shows as U+FFFD. */
export class DeadMessageView {
  @TextField({ description: 'Its topic without the prefix.', example: 'document-index-build' })
  topic!: string;

  @TextField({ description: 'Its key.', example: '241865211904000002', nullable: true })
  key!: string | null;

  @TextField({ description: 'Its value.', example: '{"taskId":"x"}', nullable: true })
  value!: string | null;

  @TextField({ description: 'The same byte for byte, in base64.', example: 'eyJ0YXNrSWQiOiJ4In0=', nullable: true })
  valueBase64!: string | null;

  @IntegerField({ description: 'Size of the value as it came, in bytes.', example: 14, min: 0 })
  valueBytes!: number;

  @JsonObjectField({ description: 'Its headers.', example: { 'x-schema-version': '1' } })
  headers!: object;
}

/** A dead letter: what could not be done, put aside for a person. */
export class DeadLetterView {
  @IdTextField({ description: 'Id of the letter.', example: '241865211904000007' })
  deadLetterId!: string;

  @ChoiceField({ description: 'What it is about.', example: 'TASK', options: deadLetterKinds })
  kind!: string;

  @ChoiceField({ description: 'How it stands.', example: 'OPEN', options: deadLetterStates })
  state!: string;

  @TextField({ description: 'Why it is here.', example: 'The embedding model did not answer.' })
  reason!: string;

  @ObjectField({ description: 'Of a TASK.', optional: true }, () => DeadTaskView)
  task?: DeadTaskView;

  @ObjectField({ description: 'Of a MESSAGE.', optional: true }, () => DeadMessageView)
  message?: DeadMessageView;

  @TimeField({ description: 'When it was put aside.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @TimeField({
    description: 'When it was replayed or discarded.',
    example: '2026-03-01T09:00:00.000Z',
    nullable: true,
  })
  settledAt!: TimeText | null;

  @IdTextField({ description: 'The person who asked for that.', example: '4711', nullable: true })
  settledBy!: string | null;
}

export function deadLetterView(letter: DeadLetter, language: Language): DeadLetterView {
  const { deadLetterId, kind, state, reason } = letter;
  return {
    deadLetterId,
    kind,
    state,
    reason,
    ...subjectView(letter, language),
    createdAt: timeText(letter.createdAt),
    settledAt: timeText(letter.settledAt),
    settledBy: letter.settledBy,
  };
}

function subjectView(letter: DeadLetter, language: Language): Pick<DeadLetterView, 'task' | 'message'> {
  if (letter.kind === DeadLetterKind.Task) {
    const { taskId, documentId, attempt, code } = letter;
    return { task: { taskId, documentId, attempt, code, nextStep: nextStepOf(code)[language] } };
  }
  const { topic, key, value, rawValue, valueBytes, headers } = letter;
  const bytes = rawValue ?? (value === null ? null : Buffer.from(value));
  return { message: { topic, key, value, valueBase64: bytes?.toString('base64') ?? null, valueBytes, headers } };
}
