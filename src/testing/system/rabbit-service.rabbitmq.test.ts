import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiClient, at } from '../api-client.js';
import { RabbitTestBroker } from '../contract/rabbit-broker.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

jest.setTimeout(120_000);

const handbook = readFileSync(new URL('../../../docs/samples/handbook.md', import.meta.url), 'utf8');
const dataDir = mkdtempSync(join(tmpdir(), 'indexwright-rabbitmq-'));

let test: TestDatabase;
let broker: RabbitTestBroker;
let services: ServiceProcess[] = [];
let api: ApiClient;

/** No worker looks for tasks by itself: what is done was told by a message. */
function env(roles: string): Record<string, string> {
  const { url, prefix } = broker.options;
  return {
    ROLES: roles,
    DATABASE_URL: (test.connection.address as { connectionString: string }).connectionString,
    BROKER: 'rabbitmq',
    AMQP_URL: url,
    TOPIC_PREFIX: prefix,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    FIND_AFTER_MS: '60000',
  };
}

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
  broker = await RabbitTestBroker.open();
  services = await Promise.all(['api,relay,upkeep', 'worker'].map((roles) => ServiceProcess.start(env(roles))));
  api = new ApiClient(services[0]?.baseUrl ?? '');
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
  await test.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the service on PostgreSQL and RabbitMQ', () => {
  it('builds what was uploaded, and finds it', async () => {
    const { documentId, planId } = await api.confirmed('handbook.md', handbook);
    const accepted = await api.build(documentId, planId);
    expect(accepted.status).toBe(202);
    const task = await api.ended(at(accepted.body, 'taskId'));
    expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
    const query = 'When must the night watch close the lower sluice by hand?';
    const { body } = await api.post('/search', { query, mode: 'HYBRID', topK: 3, withParent: true });
    expect(at<string>(body, 'hits.0.text')).toContain('amber heron');
  });

  it('is ready while all its parts are, and says so of each', async () => {
    const { status, body } = await api.get('/health/ready');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('broker');
  });

  it('refuses to start without the queues where it must not make them, and names what is missing', async () => {
    const none = { ...env('relay'), TOPIC_PREFIX: `${broker.options.prefix}-none`, AMQP_DECLARE: 'off' };
    const service = ServiceProcess.launch(none);
    expect(await service.ended()).toBe(2);
    expect(service.text.trim().split('\n')).toEqual([
      expect.stringMatching(/RabbitMQ has no queue \S+-none-document-parse\.0, .*npm run topics/),
    ]);
  });
});
