import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plantDocument } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { PassRunView, ReconcileView } from '../views/upkeep-view.js';

let api: HttpApi;

beforeAll(async () => {
  api = await startHttpApi();
});
afterAll(() => api.stop());

describe('upkeep on demand', () => {
  it('runs a pass, and tells what it did', async () => {
    const { documentId } = await plantDocument(api.test.database);
    await api.test.database.query('update document set index_status = 2 where id = $1', [documentId]);
    const { status, body } = await api.server.post('/admin/upkeep/stale-building/run', '');
    expect([status, body]).toEqual([200, { pass: 'stale-building', counts: { found: 1, settled: 1 } }]);
    expect(shapeFaults(PassRunView, body, api.server.limits)).toEqual([]);
  });

  it('names the passes where one is not known', async () => {
    const { status, body } = await api.server.post('/admin/upkeep/sweep%20all/run', '');
    expect([status, body.code, body.passes]).toEqual([404, 'PASS_NOT_FOUND', ['stale-building']]);
    expect(body.detail).toContain('stale-building');
  });

  it('tells what disagrees, and mends it only when asked to', async () => {
    const { documentId } = await plantDocument(api.test.database);
    await api.test.database.query('update document set strategy_status = 2 where id = $1', [documentId]);
    const found = { kind: 'STRATEGY_STATUS_DISAGREES', count: 1, ids: [documentId], repaired: 0 };
    for (const body of ['', '{}', '{"repair": false}']) {
      const answer = await api.server.post('/admin/reconcile', body);
      expect(answer.body.findings).toContainEqual(found);
      expect(shapeFaults(ReconcileView, answer.body, api.server.limits)).toEqual([]);
    }
    const mended = await api.server.post('/admin/reconcile', '{"repair": true}');
    expect(mended.body.findings).toContainEqual({ ...found, repaired: 1 });
    const after = await api.server.post('/admin/reconcile', '');
    expect(JSON.stringify(after.body.findings)).not.toContain('STRATEGY_STATUS_DISAGREES');
    expect((await api.server.post('/admin/reconcile', '{"repair": 1}')).status).toBe(400);
  });
});
