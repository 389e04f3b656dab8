import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionContext } from '../../database/database.js';
import { repositoriesOn } from '../../composition/repositories.js';
import { ParseTasks } from '../../documents/parse-tasks.js';
import { ReceiveUpload } from '../../documents/receive-upload.js';
import type { StoredObject } from '../../documents/object-store.js';
import { systemClock } from '../../domain/clock.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { defaultTenant } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { plantDocument, testIds } from '../factories.js';
import { openLocalObjects, type LocalObjects } from '../local-objects.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { ChorePass } from '../../upkeep/chore-pass.js';
import { ownerlessFiles } from '../../upkeep/drift/file-drift.js';

let db: TestDatabase;
let objects: LocalObjects;
let knowledgeBaseId: string;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  objects = await openLocalObjects();
  ({ knowledgeBaseId } = await plantDocument(db.database));
});
afterAll(async () => {
  await db.close();
  await objects.close();
});

/** A pass for which no file is too young, so that only the database stands between it and an upload. */
function pass(): ChorePass {
  const { files } = repositoriesOn(db.database, testIds);
  const chore = ownerlessFiles({ database: db.database, files, objects: objects.objects }, 0);
  return new ChorePass('orphaned-files', chore, silentLogger, 1);
}

function uploads(): ReceiveUpload {
  const { documents, bases, tasks, logs, outbox } = repositoriesOn(db.database, testIds);
  const parseTasks = new ParseTasks(tasks, logs, outbox, systemClock, { maxRetryCount: 3, onOutbox: () => undefined });
  return new ReceiveUpload(
    { database: db.database, objects: objects.objects, documents, bases, parseTasks, ids: testIds },
    1_000,
  );
}

const store = () => uploads().store(Readable.from([Buffer.from(`bytes ${testIds.next()}`)]));
const receive = (stored: StoredObject) =>
  uploads().receive({
    tenantId: defaultTenant,
    knowledgeBaseId,
    fileName: 'a.md',
    mediaType: 'text/markdown',
    allowDuplicate: true,
    priority: TaskPriority.Bulk,
    stored,
  });
const isThere = (stored: StoredObject) => objects.objects.exists(stored.key);

/** Waits until a session waits for an advisory lock: the moment that two of them meet. */
async function someoneWaits(): Promise<void> {
  for (;;) {
    const rows = await db.database.query(
      `select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
    );
    if (rows.length > 0) return;
  }
}

/** Names a file as an upload does, and waits with its commit until it is told. */
function heldUpload(stored: StoredObject): { done: Promise<void>; named: Promise<void>; commit: () => void } {
  let commit: () => void = () => undefined;
  let tellNamed: () => void = () => undefined;
  const named = new Promise<void>((resolve) => (tellNamed = resolve));
  const gate = new Promise<void>((resolve) => (commit = resolve));
  const done = db.database.transaction(async (tx: TransactionContext) => {
    await repositoriesOn(db.database, testIds).documents.insert(tx, {
      id: testIds.next(),
      tenantId: defaultTenant,
      knowledgeBaseId,
      title: 't',
      fileName: 'a.md',
      mediaType: 'text/markdown',
      sizeBytes: stored.sizeBytes,
      sourceHash: stored.sha256,
      sourceKey: stored.key,
    });
    tellNamed();
    await gate;
  });
  return { done, named, commit };
}

describe('clearing away files that no document names', () => {
  it('leaves the file of an upload that is about to commit', async () => {
    const stored = await store();
    const upload = heldUpload(stored);
    await upload.named;
    const clearing = pass().runOnce();
    await someoneWaits();
    upload.commit();
    await upload.done;
    expect(await clearing).toEqual({ found: 1, settled: 0 });
    expect(await isThere(stored)).toBe(true);
  });

  it('refuses an upload whose file it was giving up, and names no file that is gone', async () => {
    const stored = await store();
    const { files } = repositoriesOn(db.database, testIds);
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const giving = db.database.transaction(async (tx) => {
      const given = await files.giveUp(tx, stored.key);
      await gate;
      return given;
    });
    const upload = receive(stored);
    const refused = expect(upload).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await someoneWaits();
    letGo();
    expect(await giving).toBe(true);
    await refused;
    expect(await db.database.query('select 1 from document where source_key = $1', [stored.key])).toEqual([]);
  });

  it('refuses an upload that comes to its commit long after its file was removed', async () => {
    const stored = await store();
    expect(await pass().runOnce()).toEqual({ found: 1, settled: 1 });
    expect(await isThere(stored)).toBe(false);
    await expect(receive(stored)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('lets twenty uploads and four passes run against each other, and every document has its file', async () => {
    const clearing = Array.from({ length: 4 }, async () => {
      for (let run = 0; run < 10; run += 1) await pass().runOnce();
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, async () => receive(await store())));
    await Promise.all(clearing);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    }
    const named = await db.database.query<{ key: string }>(
      `select source_key as key from document where source_key like 'sources/%'`,
    );
    for (const { key } of named) expect([key, await objects.objects.exists(key)]).toEqual([key, true]);
  });

  it('lets young files be, whoever owns them', async () => {
    const stored = await store();
    const { files } = repositoriesOn(db.database, testIds);
    const chore = ownerlessFiles({ database: db.database, files, objects: objects.objects }, 600_000);
    expect(await new ChorePass('orphaned-files', chore, silentLogger, 1).runOnce()).toEqual({ found: 0, settled: 0 });
    expect(await isThere(stored)).toBe(true);
  });
});
