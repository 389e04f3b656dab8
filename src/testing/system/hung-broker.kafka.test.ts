import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, at } from '../api-client.js';
import { KafkaTestBroker } from '../contract/kafka-broker.js';
import { OwnKafka } from '../contract/own-kafka.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let kafka: OwnKafka;
let broker: KafkaTestBroker;
let db: TestDatabase;
let service: ServiceProcess;
let api: ApiClient;
const dataDir = mkdtempSync(join(tmpdir(), 'indexwright-hung-'));

beforeAll(async () => {
  kafka = await OwnKafka.create();
  await kafka.start();
  broker = await KafkaTestBroker.open([kafka.address]);
  db = await openTestDatabase({ on: 'postgres' });
  service = await ServiceProcess.start({
    DATABASE_URL: (db.connection.address as { connectionString: string }).connectionString,
    BROKER: 'kafka',
    KAFKA_BROKERS: kafka.address,
    TOPIC_PREFIX: broker.options.prefix,
    DATA_DIR: dataDir,
    EMBEDDING_PROCESSES: '1',
    LOG_LEVEL: 'error',
  });
  api = new ApiClient(service.baseUrl);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await db.close();
  kafka.wake();
  await broker.close();
  await kafka.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a broker that hangs', () => {
  it('refuses builds within five seconds, leaves nothing behind, and takes them again when it is back', async () => {
    const { documentId, planId } = await api.confirmed('hung.md', '# Hung\n\nThe broker hangs.\n');
    kafka.hang();
    const startedAt = Date.now();
    const refused = await Promise.all(Array.from({ length: 12 }, () => api.build(documentId, planId)));
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    for (const answer of refused) {
      expect([answer.status, answer.body['code']]).toEqual([503, 'BROKER_UNAVAILABLE']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // The rest of the service answers while the broker does not.
    const document = (await api.get(`/documents/${documentId}`)).body;
    expect(at(document, 'indexStatus.name')).toBe('WAIT_BUILD');
    expect(
      await db.database.query('select id from task where document_id = $1 and task_type = 2', [documentId]),
    ).toEqual([]);
    expect(await db.database.query(`select id from task_log where event = 'START' and stage = 4`)).toEqual([]);
    kafka.wake();
    const task = await acceptedAgain(documentId, planId);
    expect(at(await api.ended(task), 'taskStatus.name')).toBe('SUCCESS');
  }, 120_000);
});

/** Asks as a client does that was told to try again. */
async function acceptedAgain(documentId: string, planId: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { status, body } = await api.build(documentId, planId);
    if (status === 202) return at(body, 'taskId');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('no build was accepted after the broker was back');
}
