import PgBoss from 'pg-boss';
import type { Database, SqlRunner, TransactionContext } from '../../database/database.js';

/** The schema that pg-boss keeps its tables in. */
export const queueSchema = 'pgboss';

/** Some texts of pg-boss bring their own transaction, which must not be left open on a shared connection if one fails. */
const ownTransaction = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

/** Lets pg-boss speak through a transaction that is open already. */
export function bossDbIn(transaction: TransactionContext): PgBoss.Db {
  return {
    executeSql: (text, values) => execute(transaction, ownTransaction.exec(text)?.[1] ?? text, values),
  };
}

/** pg-boss on the application's own connections. It keeps no timers: nothing of it runs unless it is called. */
export function bossOn(database: Database): PgBoss {
  const db: PgBoss.Db = {
    executeSql: (text, values) => {
      const body = ownTransaction.exec(text)?.[1];
      return body === undefined
        ? execute(database, text, values)
        : database.transaction((transaction) => execute(transaction, body, values));
    },
  };
  return new PgBoss({ ...settings, db });
}

/** pg-boss inside one transaction, to set things up. */
export function bossIn(transaction: TransactionContext): PgBoss {
  return new PgBoss({ ...settings, db: bossDbIn(transaction) });
}

const settings = { schema: queueSchema, supervise: false, schedule: false } as const;

async function execute(runner: SqlRunner, text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
  // A text of several statements has no rows of its own.
  return { rows: (await runner.query<unknown>(text, values)) ?? [] };
}
