import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import type { Id } from '../../domain/ids/id.js';
import { plantDocument, plantTask, testIds, testModel } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { checkInvariants } from './check-invariants.js';

let db: TestDatabase;
let taskId: Id;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  await ensureVectorTable(db.database, testModel.dimension);
});
afterAll(() => db.close());

/** What I8 says of the dead letters on the broker. */
const said = async (...deadLetters: Record<string, string>[]): Promise<string[]> =>
  (await checkInvariants(db.database, { accepted: [], unread: 0, deadLetters }))
    .filter(({ invariant }) => invariant === 'I8')
    .map(({ says }) => says);

describe('I8, of a task that is out of tries', () => {
  beforeEach(async () => {
    taskId = await plantTask(db.database, await plantDocument(db.database));
    await db.database.query('delete from dead_letter');
    const { letters } = repositoriesOn(db.database, testIds);
    await db.database.transaction(async (tx) => {
      await tx.query('update task set task_status = 4, finished_at = now(), attempt = 2 where id = $1', [taskId]);
      await letters.addTask(tx, taskId, { code: 'EMBEDDING_FAILED', message: 'm' });
    });
  });

  it('holds when the dead-letter topic tells of it, also twice', async () => {
    const told = { 'x-task-id': taskId, 'x-dead-attempt': '2' };
    expect(await said(told)).toEqual([]);
    expect(await said(told, told)).toEqual([]);
  });

  it('is broken when the topic does not tell of it', async () => {
    expect(await said()).toEqual(['a task out of tries that the dead-letter topic does not tell of']);
  });

  it('is broken by a message that was moved aside, and by one about an end that there was not', async () => {
    const told = { 'x-task-id': taskId, 'x-dead-attempt': '2' };
    expect(await said(told, { 'x-task-id': taskId })).toEqual(['1 messages were set aside']);
    expect(await said(told, { 'x-task-id': taskId, 'x-dead-attempt': '3' })).toEqual(['1 messages were set aside']);
  });
});
