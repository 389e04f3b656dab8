import type { SqlRunner } from '../../database.js';

/** Rows that are looked at in one statement; bounds its time, whatever it finds. */
const rowsAtOnce = 500;

/** Which rows of a table are looked at, and which of them are meant. The row stands under the name `seen`. */
export interface RowScan {
  readonly table: string;
  /** A condition that an index serves; it narrows what has to be looked at. */
  readonly candidates: string;
  /** Joins of `seen` that `meant` needs. */
  readonly joins?: string;
  readonly meant: string;
  /** The id that is given; that of the row unless told otherwise. */
  readonly gives?: string;
  /** Values of $3 and on. */
  readonly parameters?: readonly unknown[];
}

/**
 * Looks through a table once, in the order of ids, a bounded number of rows at a time. Each step gives the ids of what
 * is meant among them, which may be none; rows that stay as they are hold nothing up.
 */
export async function* scanRows(sql: SqlRunner, scan: RowScan): AsyncGenerator<readonly string[]> {
  const { table, candidates, joins = '', meant, gives = 'seen.id', parameters = [] } = scan;
  for (let after = '0'; ;) {
    const [step] = await sql.query<{ count: number; last: string | null; found: string[] }>(
      `with seen as materialized (
         select * from ${table} where ${candidates} and id > $1 order by id limit $2
       )
       select (select count(*)::int from seen) as count, (select max(id) from seen) as last,
              array(select (${gives})::text from seen ${joins} where ${meant} order by seen.id) as found`,
      [after, rowsAtOnce, ...parameters],
    );
    if (!step) throw new Error('a scan gave no row');
    yield step.found;
    if (step.last === null || step.count < rowsAtOnce) return;
    after = step.last;
  }
}
