import type { TransactionContext } from '../database/database.js';
import { AppError } from '../domain/errors.js';
import type { TaskRun } from './task-run.js';

/** The last writes of a task, done in the transaction that makes it SUCCESS: nobody sees one without the other. */
export type Closing = (transaction: TransactionContext) => Promise<void>;

/** Another attempt holds the task, or it was cancelled: this worker may write nothing more. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost';

  constructor() {
    super('the task is not held by this attempt any more');
  }
}

/** The worker stops and gives the task back. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';

  constructor() {
    super('the worker is stopping');
  }
}

/** A stage, or the attempt as a whole, took longer than its limit. */
export class OverLimit extends AppError {
  override readonly name = 'OverLimit';

  constructor(message: string) {
    super('TIME_LIMIT', message);
  }
}

/** How one attempt at a task ended. The reporter turns it into rows. */
export type WorkResult =
  | { readonly type: 'completed'; readonly run: TaskRun; readonly close: Closing }
  | { readonly type: 'failed'; readonly run: TaskRun; readonly error: unknown }
  /** Over its limit: ended without another try, which a person may ask for. */
  | { readonly type: 'overdue'; readonly run: TaskRun; readonly error: OverLimit }
  /** Given back unfinished; the next attempt goes on where this one stopped. */
  | { readonly type: 'released'; readonly run: TaskRun }
  | { readonly type: 'superseded'; readonly run: TaskRun };
