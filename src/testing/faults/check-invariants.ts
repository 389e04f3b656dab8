import type { Database } from '../../database/database.js';
import type { Id } from '../../domain/ids/id.js';
import type { MessageHeaders } from '../../messaging/message-publisher.js';
import { logViolations, type LogLine } from './log-rules.js';
import { rowRules } from './row-rules.js';
import type { Violation } from './violation.js';

/** What the world outside of the database says at the end of a case. */
export interface Outside {
  /** Tasks whose calls were answered with 2xx. */
  readonly accepted: readonly Id[];
  /** Messages that no consumer has acknowledged. */
  readonly unread: number;
  /** Headers of the messages on the dead-letter topic. */
  readonly deadLetters: readonly MessageHeaders[];
}

/** Everything that does not hold, by I1 to I8. Run it when all work has ended. */
export async function checkInvariants(database: Database, outside: Outside): Promise<Violation[]> {
  return [
    ...(await rowViolations(database, outside.accepted)),
    ...(await allLogs(database)),
    ...(await messages(database, outside)),
  ];
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

async function messages(database: Database, { unread, deadLetters }: Outside): Promise<Violation[]> {
  const found: Violation[] = [];
  const wrong = (says: string, ids: readonly string[] = []): void => void found.push({ invariant: 'I8', says, ids });
  if (unread > 0) wrong(`${unread} messages were never acknowledged`);
  const letters = await database.query<{ end: string }>(
    `select task_id || ' ' || attempt as end from dead_letter where kind = 'TASK'`,
  );
  const ends = new Set(letters.map(({ end }) => end));
  const told = deadLetters.map((headers) => `${headers['x-task-id']} ${headers['x-dead-attempt']}`);
  // A message may come twice: what counts is that it tells of an end that there was, and that no end is kept from it.
  const foreign = told.filter((end) => !ends.has(end));
  if (foreign.length > 0) wrong(`${foreign.length} messages were set aside`, foreign);
  const untold = [...ends].filter((end) => !told.includes(end));
  if (untold.length > 0) wrong('a task out of tries that the dead-letter topic does not tell of', untold);
  return found;
}
