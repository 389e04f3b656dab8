import { TaskEvent } from '../../domain/task/task-event.js';
import type { Violation } from './violation.js';

/** A line of a task's log, in order. */
export interface LogLine {
  readonly taskId: string;
  readonly event: TaskEvent;
  readonly stage: number;
  /** Of a CLAIMED line. */
  readonly claimed: number | null;
  /** As the task's row says now. */
  readonly attempt: number;
}

const interruptions = [
  TaskEvent.LeaseLost,
  TaskEvent.RetryScheduled,
  TaskEvent.Claimed,
  TaskEvent.Timeout,
  TaskEvent.Failed,
  TaskEvent.Cancelled,
] as const;
const waiting = [TaskEvent.Claimed, TaskEvent.Cancelled] as const;

/** What may stand after each line. An attempt that lost its task writes nothing any more: a claim comes next. */
const mayFollow: Readonly<Record<TaskEvent, readonly TaskEvent[]>> = {
  START: waiting,
  CLAIMED: [TaskEvent.StageStarted, ...interruptions],
  STAGE_STARTED: [
    TaskEvent.Progress,
    TaskEvent.ChunkDone,
    TaskEvent.VectorizeDone,
    TaskEvent.Switched,
    TaskEvent.StageStarted,
    TaskEvent.Success,
    ...interruptions,
  ],
  PROGRESS: [TaskEvent.Progress, TaskEvent.VectorizeDone, ...interruptions],
  CHUNK_DONE: [TaskEvent.StageStarted, ...interruptions],
  VECTORIZE_DONE: [TaskEvent.StageStarted, ...interruptions],
  SWITCHED: [TaskEvent.Success],
  RETRY_SCHEDULED: waiting,
  LEASE_LOST: waiting,
  RETRY_REQUESTED: waiting,
  TIMEOUT: [TaskEvent.RetryRequested],
  FAILED: [TaskEvent.RetryRequested],
  CANCELLED: [],
  SUCCESS: [],
  // Stands after nothing: a run in which something had to be repaired has broken a promise.
  REPAIRED: [],
};

/** What is wrong with the log of one task. */
export function logViolations(lines: readonly LogLine[]): Violation[] {
  const [first] = lines;
  if (!first) return [];
  const found: Violation[] = [];
  const wrong = (invariant: Violation['invariant'], says: string): void => {
    found.push({ invariant, says, ids: [first.taskId] });
  };
  if (first.event !== TaskEvent.Start) wrong('I7', `the log begins with ${first.event}`);
  lines.slice(1).forEach((line, i) => {
    const previous = lines[i] ?? first;
    if (!mayFollow[previous.event].includes(line.event)) wrong('I7', `${line.event} stands after ${previous.event}`);
    if (line.stage < previous.stage) wrong('I7', `stage ${line.stage} stands after stage ${previous.stage}`);
  });
  const claims = lines.flatMap(({ claimed }) => (claimed === null ? [] : [claimed]));
  if (claims.some((attempt, i) => attempt !== i + 1)) wrong('I6', `attempts were claimed as ${claims.join(', ')}`);
  if (claims.length !== first.attempt) wrong('I6', `${claims.length} claims led to attempt ${first.attempt}`);
  return found;
}
