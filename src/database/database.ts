import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import {
  QueryFailedError,
  QueryRunnerProviderAlreadyReleasedError,
  type DataSource,
  type EntityManager,
  type QueryRunner,
} from 'typeorm';
import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { TaskChange } from '../domain/task/task-change.js';
import type { Once } from './once.js';

/** Runs statements. Values always go as parameters. */
export interface SqlRunner {
  /**
   * @param name lets a server that keeps prepared statements plan the text once per connection; a name must always
   *   come with the same text.
   */
  query<Row>(sql: string, parameters?: readonly unknown[], name?: string): Promise<Row[]>;
}

/** An open transaction. Features hand it on from one part to the next; only `database/` speaks SQL through it. */
export interface TransactionContext extends SqlRunner {
  /** Runs once the commit is certain; not at all after a rollback. Must not throw. */
  afterCommit(action: () => void): void;
  /** To be called by whatever statement changes the row or the log of a task. Told once the commit is certain. */
  taskChanged(change: TaskChange): void;
}

/** The answer to COMMIT never came: the work may or may not be in the database. Read it again before you say so. */
export class CommitOutcomeUnknown extends AppError {
  override readonly name = 'CommitOutcomeUnknown';

  constructor(cause: unknown) {
    const message = 'The database broke off while it stored this. Look whether it is there before you repeat it.';
    super('DATABASE_UNAVAILABLE', message, {}, { cause });
  }
}

export interface DatabaseOptions {
  /** False where sessions outlive connections, as on the embedded database. */
  readonly preparedStatements: boolean;
}

/** Where the call stack stands in a transaction, so that a query beside it is refused instead of waiting for ever. */
const transactionScope = new AsyncLocalStorage<{ open: boolean }>();

/** The one way to the database: single statements, and transactions that cannot half succeed unnoticed. */
export class Database implements SqlRunner {
  private tellTaskChange: (change: TaskChange) => void = () => undefined;

  constructor(
    private readonly source: DataSource,
    private readonly options: DatabaseOptions,
  ) {}

  /** Has a listener told of every task that this process changed, after the commit. It must not throw. */
  onTaskChange(listener: (change: TaskChange) => void): void {
    this.tellTaskChange = listener;
  }

  /** As `TransactionContext.taskChanged`, for what a single statement changed. */
  taskChanged(change: TaskChange): void {
    this.tellTaskChange(change);
  }

  /**
   * Reads through entities, outside of a transaction.
   *
   * @throws AppError DATABASE_UNAVAILABLE if the database does not answer.
   */
  read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    refuseInsideTransaction();
    return this.withSession((session) => session.read(work));
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = [], name?: string): Promise<Row[]> {
    refuseInsideTransaction();
    return this.withSession((session) => session.query<Row>(sql, parameters, name));
  }

  /**
   * Commits what `work` did if it resolves, rolls it back if it rejects. A statement that failed inside and was caught
   * makes the whole transaction fail: PostgreSQL would answer COMMIT with a silent rollback.
   *
   * @param once gives what an earlier run committed instead of running `work` again, and remembers what this run gives;
   *   undefined means that nothing was done, and is not remembered.
   * @throws CommitOutcomeUnknown if the connection broke while committing.
   * @throws AppError DATABASE_UNAVAILABLE if no connection was to be had.
   */
  async transaction<T>(work: (transaction: TransactionContext) => Promise<T>, once?: Once): Promise<T> {
    refuseInsideTransaction();
    if (once?.done) return once.done.result as T;
    return this.withSession(async (session) => {
      const scope = { open: true };
      const begun = session.begin();
      let result: T;
      try {
        result = await transactionScope.run(scope, () => work(session));
        await begun;
        if (result !== undefined) await once?.record(session, result);
      } catch (error) {
        scope.open = false;
        await session.rollback();
        throw error;
      }
      scope.open = false;
      await session.commit();
      return result;
    });
  }

  private async withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    let client: PoolClient;
    try {
      client = (await runner.connect()) as PoolClient;
    } catch (error) {
      await runner.release();
      throw new AppError('DATABASE_UNAVAILABLE', 'No database connection is to be had.', {}, { cause: error });
    }
    const session = new Session(runner, client, this.options);
    try {
      return await work(session);
    } finally {
      // A connection in an unknown state must not go back to the pool; ended clients are dropped by it.
      if (session.broken) void client.end().catch(() => undefined);
      await runner.release();
      session.announce((change) => this.tellTaskChange(change));
    }
  }
}

/** One connection in the hands of one caller. */
class Session implements TransactionContext {
  broken = false;
  private committed = false;
  private readonly actions: (() => void)[] = [];
  private readonly changes = new Map<Id, TaskChange>();

  constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly options: DatabaseOptions,
  ) {}

  async read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.runner.manager);
    } catch (error) {
      // TypeORM lets go of a connection that breaks between two statements, and then says only that.
      const ofDatabase = error instanceof QueryFailedError || error instanceof QueryRunnerProviderAlreadyReleasedError;
      throw ofDatabase ? this.judge(error) : error;
    }
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const statement = name && this.options.preparedStatements ? { name, text: sql } : { text: sql };
    try {
      const result = await this.client.query({ ...statement, values: [...parameters] });
      return result.rows as Row[];
    } catch (error) {
      throw this.judge(error);
    }
  }

  /** Statements that follow go out in its wake instead of waiting for its answer. Await it before you commit. */
  begin(): Promise<unknown> {
    const begun = this.query('BEGIN');
    begun.catch(() => undefined); // told to whoever awaits it; by then the first statement may have failed with it
    return begun;
  }

  async rollback(): Promise<void> {
    if (this.broken) return;
    try {
      await this.client.query('ROLLBACK');
    } catch {
      // The connection is gone, and the transaction with it; the error that led here is the one to report.
      this.broken = true;
    }
  }

  async commit(): Promise<void> {
    let command: string;
    try {
      command = (await this.client.query('COMMIT')).command;
    } catch (error) {
      if (lacksResources(error)) throw outOfResources(error);
      if (isServerVerdict(error)) throw error;
      this.broken = true;
      throw new CommitOutcomeUnknown(error);
    }
    if (command !== 'COMMIT') throw new Error(`a failed statement was ignored: the transaction ended with ${command}`);
    this.committed = true;
  }

  afterCommit(action: () => void): void {
    this.actions.push(action);
  }

  taskChanged(change: TaskChange): void {
    this.changes.set(change.taskId, change);
  }

  announce(tellTaskChange: (change: TaskChange) => void): void {
    if (!this.committed) return;
    for (const action of this.actions) action();
    for (const change of this.changes.values()) tellTaskChange(change);
  }

  private judge(error: unknown): unknown {
    if (lacksResources(error)) return outOfResources(error);
    if (isServerVerdict(error)) return error;
    this.broken = true;
    return new AppError('DATABASE_UNAVAILABLE', 'The database does not answer.', {}, { cause: error });
  }
}

/** What the driver reports as an error's code; TypeORM wraps it. */
function codeOf(error: unknown): unknown {
  const { driverError } = (error ?? {}) as { driverError?: unknown };
  return ((driverError ?? error) as { code?: unknown } | null)?.code;
}

/** True for a server that refused a statement for want of space, memory or connections, or whose disk failed. */
function lacksResources(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && /^5[38]\w\d\d$/.test(code);
}

function outOfResources(error: unknown): AppError {
  const what = codeOf(error) === '53100' ? 'The database has no space left.' : 'The database is out of resources.';
  return new AppError('DATABASE_UNAVAILABLE', what, {}, { cause: error });
}

/** True for an error that the server itself reported on a connection that lives on. */
function isServerVerdict(error: unknown): boolean {
  const code = codeOf(error);
  // Every SQLSTATE has a digit; EPIPE, of the line, has none. Class 57P: the server ends the session (shutdown, terminated by an administrator).
  return (
    typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P') && !code.startsWith('08')
  );
}

function refuseInsideTransaction(): void {
  if (transactionScope.getStore()?.open) {
    throw new Error('a query beside the open transaction: hand the transaction on to whoever needs the database');
  }
}
