import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { postgresConnection } from '../database/connection.js';
import { createDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { silentLogger } from '../logging/logger.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { CuttingProxy } from '../testing/cutting-proxy.js';
import { testModel } from '../testing/factories.js';
import { openLocalObjects, type LocalObjects } from '../testing/local-objects.js';
import { newReceiveUpload } from '../testing/receive-upload-parts.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import type { ReceivedUpload, ReceiveUpload } from './receive-upload.js';

let test: TestDatabase;
let local: LocalObjects;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('truncate knowledge_base, task, outbox cascade');
  await test.database.query(
    `insert into knowledge_base (id, name, embedding_model, is_default) values (1, 'default', $1, true)`,
    [testModel.id],
  );
  local = await openLocalObjects();
});
afterEach(() => local.close());

async function receive(receiving: ReceiveUpload, content: string): Promise<ReceivedUpload> {
  const stored = await receiving.store(Readable.from([Buffer.from(content)]));
  return receiving.receive({
    tenantId: '0',
    fileName: 'file.md',
    mediaType: 'text/markdown',
    allowDuplicate: false,
    priority: TaskPriority.Interactive,
    stored,
  });
}

const documentIds = async (): Promise<string[]> =>
  (await test.database.query<{ id: string }>('select id from document')).map(({ id }) => id);

describe('ReceiveUpload on a server', () => {
  it('makes one document of the same bytes that arrive many times at once', async () => {
    const receiving = newReceiveUpload(test.database, local.objects, () => undefined);
    const received = await Promise.all(Array.from({ length: 20 }, () => receive(receiving, 'same bytes')));
    const ids = await documentIds();
    expect(ids).toHaveLength(1);
    expect(received.map(({ documentId }) => documentId)).toEqual(Array(20).fill(ids[0]));
    expect(received.filter(({ type }) => type === 'created')).toHaveLength(1);
    expect(await local.names()).toHaveLength(1);
    expect(await test.database.query('select count(*)::int as n from task')).toEqual([{ n: 1 }]);
  });

  it('takes different bytes at once without one waiting for another', async () => {
    const receiving = newReceiveUpload(test.database, local.objects, () => undefined);
    await Promise.all(Array.from({ length: 20 }, (_, i) => receive(receiving, `bytes ${i}`)));
    expect(await documentIds()).toHaveLength(20);
  });

  describe('when the answer to the commit is lost', () => {
    const through = async (
      proxy: CuttingProxy,
      work: (receiving: ReceiveUpload, database: Database) => Promise<void>,
    ): Promise<void> => {
      const address = test.connection.address as { connectionString: string };
      const url = new URL(address.connectionString);
      url.host = `127.0.0.1:${proxy.port}`;
      const connection = postgresConnection(url.href, 2);
      const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
      const source = createDataSource(connection, limits, silentLogger);
      await source.initialize();
      const database = new Database(source, connection);
      try {
        await work(
          newReceiveUpload(database, local.objects, () => undefined),
          database,
        );
      } finally {
        await source.destroy();
        await proxy.close();
      }
    };
    const newProxy = (): Promise<CuttingProxy> => {
      const { connectionString } = test.connection.address as { connectionString: string };
      const { hostname, port } = new URL(connectionString);
      return CuttingProxy.to(hostname || '127.0.0.1', Number(port || 5432));
    };

    it('answers with the document that is there, and keeps its bytes', async () => {
      const proxy = await newProxy();
      await through(proxy, async (receiving) => {
        proxy.swallowAnswerTo('COMMIT');
        const received = await receive(receiving, 'doubtful');
        expect(received.type).toBe('created');
        expect(await documentIds()).toEqual([received.documentId]);
        expect(await local.names()).toHaveLength(1);
      });
    });

    it('says that the database does not answer when the document is not there', async () => {
      const receiving = newReceiveUpload(test.database, local.objects, () => undefined);
      await test.database.query(`
        create function end_session() returns trigger language plpgsql as
          $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`);
      await test.database.query(`
        create constraint trigger at_commit after insert on outbox deferrable initially deferred
          for each row execute function end_session()`);
      try {
        await expect(receive(receiving, 'lost')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
      } finally {
        await test.database.query('drop trigger at_commit on outbox');
      }
      expect(await documentIds()).toEqual([]);
      expect(await local.names()).toHaveLength(1);
    });
  });
});
