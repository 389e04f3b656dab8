import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let db: TestDatabase;
let dataDir: string;
let worker: ServiceProcess;
let address: string;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  dataDir = mkdtempSync(join(tmpdir(), 'indexwright-observed-'));
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const { connectionString } = db.connection.address as { connectionString: string };
  const env = { ROLES: 'worker', DATABASE_URL: connectionString, DATA_DIR: dataDir, OBSERVE_PORT: String(port) };
  worker = await ServiceProcess.start({ ...env, LOG_LEVEL: 'warn' });
}, 90_000);

afterAll(async () => {
  await worker.stop();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('has a process without the API serve its health and metrics, and nothing else', async () => {
  const [ready, metrics, documents] = await Promise.all(
    ['/health/ready', '/metrics', '/documents'].map((path) => fetch(address + path)),
  );
  expect([ready?.status, metrics?.status, documents?.status]).toEqual([200, 200, 404]);
  expect(metrics?.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  const lines = (await metrics?.text())?.split('\n');
  expect(lines).toContain('indexwright_consumer_up{broker="postgres",group="parse"} 1');
  expect(lines).toContain('indexwright_consumer_up{broker="postgres",group="index"} 1');
  expect(lines).toContain('indexwright_workload_known 1');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
