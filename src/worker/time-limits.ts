import type { ClaimedTask } from '../database/repositories/task-lease-repository.js';
import { Stage } from '../domain/task/stage.js';
import { TaskType } from '../domain/task/task-type.js';

/** How long work may take, in ms. A million is one of bytes while a source is read, and of characters afterwards. */
export interface TimeLimits {
  /** Of every stage, whatever its size. */
  readonly stageMs: number;
  readonly parseMsPerMillion: number;
  readonly cutMsPerMillion: number;
  readonly embedMsPerMillion: number;
  /** Of one attempt, all stages together. */
  readonly attemptMs: number;
  /** Of work to end once it was aborted; then it is left behind. */
  readonly heedMs: number;
  /** Of one reading of a source, which is tried twice. */
  readonly readingMs: number;
}

const readings = 2;

/**
 * How long a stage of a task may take, in ms: more for more to do. Every wait inside it has a shorter deadline of its own.
 * What a deletion has to remove is not known before; only the limit of its attempt binds it.
 */
export function stageLimitMs(
  stage: Stage,
  { taskType, sourceBytes, textChars }: Pick<ClaimedTask, 'taskType' | 'sourceBytes' | 'textChars'>,
  limits: TimeLimits,
): number {
  if (taskType === TaskType.DeleteIndex) return limits.attemptMs;
  const millions = (textChars > 0 ? textChars : sourceBytes) / 1e6;
  switch (stage) {
    case Stage.ContentParse:
      return limits.stageMs + readings * limits.readingMs + millions * limits.parseMsPerMillion;
    case Stage.Vectorize:
      return limits.stageMs + millions * limits.embedMsPerMillion;
    default:
      return limits.stageMs + millions * limits.cutMsPerMillion;
  }
}
