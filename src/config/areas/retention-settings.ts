import { integer } from '../setting.js';

/** How long what is needed no more is kept. */
export const retentionSettings = {
  taskLogDays: keepDays('TASK_LOG_KEEP_DAYS', 90, 'the log of a task that is over'),
  taskDays: keepDays('TASK_KEEP_DAYS', 365, 'a task that is over and not the newest of its document'),
  outboxDays: keepDays('OUTBOX_KEEP_DAYS', 1, 'a message that was sent'),
  letterDays: keepDays('DEAD_LETTER_KEEP_DAYS', 90, 'a dead letter that was replayed or discarded'),
  textDays: keepDays('TEXT_KEEP_DAYS', 30, 'a parsed text that no version, plan or document names'),
} as const;

function keepDays(env: string, byDefault: number, what: string): ReturnType<typeof integer> {
  return integer(env, byDefault, {
    min: 0,
    max: 36_500,
    unit: 'days',
    doc: `Days after which ${what} is removed; 0 keeps it.`,
  });
}
