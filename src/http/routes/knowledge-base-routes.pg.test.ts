import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { KnowledgeBaseView } from '../views/knowledge-base-view.js';

const unknownId = '9007199254740993';
let api: HttpApi;

beforeAll(async () => {
  api = await startHttpApi();
});
afterAll(() => api.stop());

const make = (body: object) => api.server.post('/knowledge-bases', JSON.stringify(body));
const change = (id: string, body: object) =>
  api.server.call('PATCH', `/knowledge-bases/${id}`, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

describe('a knowledge base', () => {
  it('is made, found and listed as documented', async () => {
    const made = await make({ name: '  pumps  ', description: 'All pumps' });
    expect([made.status, made.body.name, made.body.embeddingModel]).toEqual([201, 'pumps', 'all-MiniLM-L6-v2']);
    expect(shapeFaults(KnowledgeBaseView, made.body, api.server.limits)).toEqual([]);
    const id = String(made.body.knowledgeBaseId);
    expect((await api.server.get(`/knowledge-bases/${id}`)).body).toEqual(made.body);
    expect((await api.server.get('/knowledge-bases')).body).toEqual({ items: [made.body], nextCursor: null });
  });

  it('keeps what a change leaves out, and loses what it sets to null', async () => {
    const made = await make({ name: 'changing', description: 'Old', language: 'en' });
    const changed = await change(String(made.body.knowledgeBaseId), { description: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...made.body, description: null, updatedAt: changed.body.updatedAt });
  });

  it('cannot have a name that is taken, blank or too long, or a model that is not here', async () => {
    await make({ name: 'taken' });
    const other = await make({ name: 'other' });
    const answers = [
      await make({ name: 'taken ' }),
      await change(String(other.body.knowledgeBaseId), { name: 'taken' }),
      await make({ name: ' \u0000 ' }),
      await make({ name: 'x'.repeat(501) }),
      await make({ name: 'm', embeddingModel: 'no-such-model' }),
      await make({ name: 'm', isDefault: true }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'NAME_TAKEN'],
      [409, 'NAME_TAKEN'],
      [400, 'INVALID_REQUEST'],
      [400, 'INVALID_REQUEST'],
      [422, 'MODEL_NOT_AVAILABLE'],
      [400, 'INVALID_REQUEST'],
    ]);
  });

  it('that is unknown is not found', async () => {
    const read = await api.server.get(`/knowledge-bases/${unknownId}`);
    const changed = await change(unknownId, { name: 'x' });
    expect([read.body.code, changed.body.code]).toEqual(['KNOWLEDGE_BASE_NOT_FOUND', 'KNOWLEDGE_BASE_NOT_FOUND']);
    expect((await api.server.get('/knowledge-bases/default')).body.code).toBe('INVALID_REQUEST');
  });
});
