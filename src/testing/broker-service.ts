import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, at } from './api-client.js';
import { ServiceProcess } from './service-process.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';

const handbook = readFileSync(new URL('../../docs/samples/handbook.md', import.meta.url), 'utf8');

/** The service on PostgreSQL and a broker: the worker, and everything else, in a process of its own each. */
export class BrokerService {
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'indexwright-broker-'));
  private front: ServiceProcess | undefined;
  private worker: ServiceProcess | undefined;

  private constructor(
    private readonly test: TestDatabase,
    private readonly brokerEnv: Readonly<Record<string, string>>,
  ) {}

  /** @param brokerEnv names the broker, and the prefix of its topics */
  static async start(brokerEnv: Readonly<Record<string, string>>): Promise<BrokerService> {
    const service = new BrokerService(await openTestDatabase({ on: 'postgres' }), brokerEnv);
    service.front = await ServiceProcess.start(service.env('api,relay,upkeep'));
    await service.startWorker();
    return service;
  }

  get api(): ApiClient {
    return new ApiClient(this.front?.baseUrl ?? '');
  }

  async startWorker(): Promise<void> {
    this.worker = await ServiceProcess.start(this.env('worker'));
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
  }

  /** No worker looks for tasks by itself: what is done was told by a message. */
  env(roles: string): Record<string, string> {
    return {
      ROLES: roles,
      DATABASE_URL: (this.test.connection.address as { connectionString: string }).connectionString,
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'warn',
      FIND_AFTER_MS: '60000',
      RESEND_AFTER_MS: '3000',
      UPKEEP_INTERVAL_MS: '300',
      ...this.brokerEnv,
    };
  }

  /** Gives the task that was accepted. */
  async build(documentId: string, planId: string): Promise<string> {
    const accepted = await this.api.build(documentId, planId);
    expect(accepted.status).toBe(202);
    return at(accepted.body, 'taskId');
  }

  /** Uploads and confirms a document. */
  confirmed(): Promise<{ documentId: string; planId: string }> {
    return this.api.confirmed('handbook.md', handbook);
  }

  async close(): Promise<void> {
    await Promise.all([this.front?.stop(), this.worker?.stop()]);
    await this.test.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** What the service does on every broker. */
export function describeService(running: () => BrokerService): void {
  it('builds what was uploaded, and finds it', async () => {
    const service = running();
    const { documentId, planId } = await service.confirmed();
    const task = await service.api.ended(await service.build(documentId, planId));
    expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
    const query = 'When must the night watch close the lower sluice by hand?';
    const { body } = await service.api.post('/search', { query, mode: 'HYBRID', topK: 3, withParent: true });
    expect(at<string>(body, 'hits.0.text')).toContain('amber heron');
  });

  it('is ready while all its parts are, and says so of each', async () => {
    const { status, body } = await running().api.get('/health/ready');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('broker');
  });
}
