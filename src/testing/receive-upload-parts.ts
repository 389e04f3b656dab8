import { repositoriesOn } from '../composition/repositories.js';
import type { Database } from '../database/database.js';
import type { ObjectStore } from '../documents/object-store.js';
import { ParseTasks } from '../documents/parse-tasks.js';
import { ReceiveUpload } from '../documents/receive-upload.js';
import { systemClock } from '../domain/clock.js';
import { testIds } from './factories.js';

/** Takes uploads of at most 1,000 bytes into a test's database and object store. */
export function newReceiveUpload(database: Database, objects: ObjectStore, onOutbox: () => void): ReceiveUpload {
  const { documents, bases, tasks, logs, outbox } = repositoriesOn(database, testIds);
  const parseTasks = new ParseTasks(tasks, logs, outbox, systemClock, { maxRetryCount: 3, onOutbox });
  return new ReceiveUpload({ database, objects, documents, bases, parseTasks, ids: testIds }, 1_000);
}
