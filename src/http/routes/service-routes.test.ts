import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strategyCatalogue } from '../../chunking/strategy-catalogue.js';
import { loadConfig } from '../../config/app-config.js';
import type { PartHealth } from '../../messaging/message-publisher.js';
import { testLimits } from '../../testing/factories.js';
import { HttpTestServer } from '../../testing/http-test-server.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { serviceLimits } from '../request-limits.js';
import { ReadyView } from '../views/health-view.js';
import { LimitsView } from '../views/limits-view.js';
import { StrategyView } from '../views/strategy-view.js';
import { serviceRoutes } from './service-routes.js';

const health = {
  database: () => ({ up: true }) as PartHealth | Promise<PartHealth>,
  cache: () => ({ up: true }) as PartHealth,
};
let server: HttpTestServer;

beforeAll(async () => {
  server = await HttpTestServer.start(
    serviceRoutes({
      limits: serviceLimits(loadConfig({}).http, testLimits),
      strategies: strategyCatalogue(testLimits),
      probes: [
        { name: 'database', needed: true, check: () => health.database() },
        { name: 'cache', needed: false, check: () => health.cache() },
      ],
      metrics: { contentType: 'text/plain; version=0.0.4', read: () => Promise.resolve('tasks 3\n') },
    }),
  );
});
afterAll(() => server.stop());

describe('the limits', () => {
  it('are those of the configuration, all of them', async () => {
    const { body } = await server.get('/limits');
    expect(shapeFaults(LimitsView, body, server.limits)).toEqual([]);
    expect(body).toEqual({
      uploadBytes: 104_857_600,
      jsonBytes: 1_048_576,
      titleLength: 500,
      fileNameLength: 255,
      planSteps: 20,
      documentIds: 10_000,
      queryLength: 2_000,
      topK: 100,
      waitMs: 30_000,
      listLimit: 200,
      chunk: testLimits,
    });
  });
});

describe('the strategies', () => {
  it('come in pages, as documented, in the language that is asked for', async () => {
    const first = await server.get('/strategies?limit=4', { 'accept-language': 'zh' });
    const rest = await server.get(`/strategies?cursor=${String(first.body.nextCursor)}`, { 'accept-language': 'zh' });
    const all = [...(first.body.items as object[]), ...(rest.body.items as object[])] as Record<string, unknown>[];
    expect(all.map(({ code }) => code)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rest.body.nextCursor).toBeNull();
    for (const strategy of all) expect(shapeFaults(StrategyView, strategy, server.limits)).toEqual([]);
    expect(all[0]).toMatchObject({ name: 'STRUCTURE', description: '按标题与结构切分', available: true });
    expect(String(all[3]?.unavailableReason)).toMatch(/大模型/);
  });
});

describe('readiness', () => {
  it('is there while every needed part is up, and tells the age of its progress', async () => {
    health.database = () => Promise.resolve({ up: true, lastProgressAgeMs: 12.6 });
    health.cache = () => ({ up: false, detail: 'It is cold.' });
    const answer = await server.get('/health/ready');
    expect(shapeFaults(ReadyView, answer.body, server.limits)).toEqual([]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ready: true,
        dependencies: [
          { name: 'database', needed: true, up: true, lastProgressAgeMs: 13, detail: null },
          { name: 'cache', needed: false, up: false, lastProgressAgeMs: null, detail: 'It is cold.' },
        ],
      },
    ]);
  });

  it('is gone when a needed part is down, fails or stays silent; nothing of its error is shown', async () => {
    for (const check of [
      () => ({ up: false }),
      () => Promise.reject(new Error('password of postgres://root')),
      () => {
        throw new Error('password of postgres://root');
      },
      () => new Promise<PartHealth>(() => undefined),
    ]) {
      health.database = check;
      const answer = await server.get('/health/ready');
      expect([answer.status, answer.body.ready, answer.headers.get('retry-after')]).toEqual([503, false, '5']);
      expect(answer.text).not.toContain('password');
    }
    expect((await server.get('/health/live')).body).toEqual({ up: true });
  });
});
