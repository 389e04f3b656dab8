import type { Database } from '../../database/database.js';
import type { Id } from '../../domain/ids/id.js';
import { logViolations, type LogLine } from './log-rules.js';
import { rowRules } from './row-rules.js';
import type { Violation } from './violation.js';

/** What the world outside of the database says at the end of a case. */
export interface Outside {
  /** Tasks whose calls were answered with 2xx. */
  readonly accepted: readonly Id[];
  /** Messages that no consumer has acknowledged. */
  readonly unread: number;
  readonly deadLetters: number;
}

/** Everything that does not hold, by I1 to I8. Run it when all work has ended. */
export async function checkInvariants(database: Database, outside: Outside): Promise<Violation[]> {
  return [...(await rowViolations(database, outside.accepted)), ...(await allLogs(database)), ...messages(outside)];
}

async function rowViolations(database: Database, accepted: readonly Id[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { invariant, says, sql } of rowRules) {
    const rows = await database.query<{ id: string }>(sql, sql.includes('$1') ? [accepted] : []);
    if (rows.length > 0) found.push({ invariant, says, ids: rows.map(({ id }) => id) });
  }
  return found;
}

async function allLogs(database: Database): Promise<Violation[]> {
  const lines = await database.query<LogLine>(
    `select l.task_id as "taskId", l.event, l.stage, case when l.event = 'CLAIMED' then (l.metadata->>'attempt')::int end as claimed,
            t.attempt from task_log l join task t on t.id = l.task_id order by l.task_id, l.id`,
  );
  const byTask = new Map<string, LogLine[]>();
  for (const line of lines) byTask.set(line.taskId, [...(byTask.get(line.taskId) ?? []), line]);
  return [...byTask.values()].flatMap(logViolations);
}

function messages({ unread, deadLetters }: Outside): Violation[] {
  const found: Violation[] = [];
  if (unread > 0) found.push({ invariant: 'I8', says: `${unread} messages were never acknowledged`, ids: [] });
  if (deadLetters > 0) found.push({ invariant: 'I8', says: `${deadLetters} messages were set aside`, ids: [] });
  return found;
}
