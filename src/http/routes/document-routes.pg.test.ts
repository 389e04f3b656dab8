import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentTextRepository } from '../../database/repositories/document-text-repository.js';
import { plantDocument } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { wrongPaths } from '../../testing/http-test-server.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { DocumentView, UploadedView } from '../views/document-view.js';
import { BlockView, TextView } from '../views/text-view.js';

const unknownId = '9007199254740993';
let api: HttpApi;
let base: string;

beforeAll(async () => {
  api = await startHttpApi();
  const made = await api.server.post('/knowledge-bases', '{"name":"documents"}');
  base = String(made.body.knowledgeBaseId);
});
afterAll(() => api.stop());

function send(bytes: string | Buffer, fileName: string, fields: Record<string, string> = {}, query = '') {
  const form = new FormData();
  for (const [name, value] of Object.entries({ knowledgeBaseId: base, ...fields })) form.append(name, value);
  form.append('file', new Blob([bytes], { type: 'text/markdown' }), fileName);
  return api.server.call('POST', `/documents${query}`, { body: form });
}

/** Topics of what was stored to be sent about a document, or a base. */
async function messagesOf(id: string): Promise<string[]> {
  const sql = 'select topic from outbox where aggregate_id = $1 order by id';
  return (await api.test.database.query<{ topic: string }>(sql, [id])).map(({ topic }) => topic);
}

const documentOf = (body: Record<string, unknown>) => body.document as Record<string, unknown>;

describe('text that no database can hold', () => {
  it.each([
    ['q', () => api.server.get('/documents?q=%00')],
    ['q', () => api.server.get('/documents?q=pump%00s')],
    ['title', () => send('# Pumps', 'a.md', { title: 'Pumps\0' })],
    ['name', () => api.server.post('/knowledge-bases', '{"name":"a\\u0000b"}')],
    ['description', () => api.server.post('/knowledge-bases', '{"name":"ab","description":"\\ud83c"}')],
    ['reason', () => api.server.post('/index/rebuild', `{"knowledgeBaseId":"${base}","reason":"\\udc00"}`)],
  ])('is refused in %s, and named', async (path, call) => {
    const answer = await call();
    expect([answer.status, answer.body.code, wrongPaths(answer)]).toEqual([400, 'INVALID_REQUEST', [path]]);
  });
});

describe('an uploaded document', () => {
  it('is there at once, as documented, with the task that parses it', async () => {
    const answer = await send('# Pumps', '泵站 handbook.md', { title: 'Pumps' });
    expect(answer.status).toBe(202);
    expect(shapeFaults(UploadedView, answer.body, api.server.limits)).toEqual([]);
    const document = documentOf(answer.body);
    expect(document).toMatchObject({
      title: 'Pumps',
      fileName: '泵站 handbook.md',
      sizeBytes: 7,
      activeVersion: null,
      stale: false,
      chunkCount: 0,
      parseStatus: { code: 1, name: 'WAIT_PARSE' },
    });
    expect(answer.headers.get('location')).toBe(`/tasks/${String((answer.body.task as { taskId: string }).taskId)}`);
    const id = String(document.documentId);
    expect((await api.server.get(`/documents/${id}`)).body).toEqual(document);
    const listed = await api.server.get(`/documents?knowledgeBaseId=${base}&parseStatus=WAIT_PARSE&q=HANDBOOK`);
    expect(listed.body).toEqual({ items: [document], nextCursor: null });
  });

  it('comes back byte for byte, under its own name, and never as a page', async () => {
    const bytes = Buffer.from([0, 1, 2, 255, 254]);
    const { body } = await send(bytes, '50% "报告" (1).md');
    const answer = await fetch(`${api.server.url}/documents/${String(documentOf(body).documentId)}/source`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    const disposition = answer.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w.%-]+$/);
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(String(documentOf(body).fileName));
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-length')).toBe('5');
  });

  it('is not stored twice in a base, unless that is asked for', async () => {
    const first = await send('same bytes', 'one.md');
    const again = await send('same bytes', 'two.md');
    expect([again.status, again.body.duplicateOf]).toEqual([200, documentOf(first.body).documentId]);
    expect(again.body).not.toHaveProperty('task');
    const wanted = await send('same bytes', 'three.md', {}, '?allowDuplicate=true');
    expect(wanted.status).toBe(202);
  });

  it('has the file name as its title where none is given', async () => {
    const { body } = await send('untitled', 'name.md', { title: '' });
    expect(documentOf(body).title).toBe('name.md');
  });

  it.each([
    ['', 'INTERACTIVE', 'document-parse'],
    ['?priority=BULK', 'BULK', 'document-parse-bulk'],
    ['?priority=1', 'INTERACTIVE', 'document-parse'],
  ])('is parsed as urgently as its sender says (%s)', async (query, name, topic) => {
    const { body } = await send(`urgent or not ${query}`, 'a.md', {}, query);
    expect(body.task).toMatchObject({ taskType: { name: 'PARSE_DOCUMENT' }, priority: { name } });
    const id = String(documentOf(body).documentId);
    expect(await messagesOf(id)).toEqual([topic]);
    const again = await api.server.call('POST', `/documents/${id}/parse?cancelRunning=true&priority=BULK`);
    expect(again.body.task).toMatchObject({ priority: { name: 'BULK' } });
    expect(await messagesOf(id)).toEqual([topic, 'document-parse-bulk']);
  });

  it.each([
    ['', 'document-index-delete'],
    ['?priority=BULK', 'document-index-delete-bulk'],
  ])('is deleted as urgently as is asked for (%s)', async (query, topic) => {
    const { body } = await send(`to be deleted ${query}`, 'a.md');
    const id = String(documentOf(body).documentId);
    expect((await api.server.call('DELETE', `/documents/${id}${query}`)).status).toBe(202);
    expect(await messagesOf(id)).toEqual(['document-parse', topic]);
  });

  it('is refused for a base that is unknown, and for what its query says wrong', async () => {
    const unknown = await send('lost', 'a.md', { knowledgeBaseId: unknownId });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'KNOWLEDGE_BASE_NOT_FOUND']);
    for (const query of [
      '?allowDuplicate=yes',
      '?encoding=klingon',
      '?encoding=constructor',
      '?colour=red',
      '?priority=HIGH',
    ]) {
      const answer = await send('x', 'a.md', {}, query);
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'INVALID_REQUEST']);
    }
  });
});

describe('a parsed document', () => {
  it('gives its text by range and its blocks by page', async () => {
    const { documentId } = await plantDocument(api.test.database);
    const text = '# 🌸 Pumps\n\nGrease them.';
    await api.test.database.transaction((tx) =>
      new DocumentTextRepository(api.test.database).save(tx, {
        tenantId: '0',
        documentId,
        revision: 1,
        sourceHash: 'a',
        parsed: {
          text,
          blocks: [
            { type: 'heading', depth: 1, charStart: 0, charEnd: 9 },
            { type: 'paragraph', charStart: 11, charEnd: 23 },
          ],
        },
      }),
    );
    const whole = await api.server.get(`/documents/${documentId}/text`);
    expect(whole.body).toEqual({ text, length: 23, revision: 1 });
    expect(shapeFaults(TextView, whole.body, api.server.limits)).toEqual([]);
    expect((await api.server.get(`/documents/${documentId}/text?from=2&to=4`)).body.text).toBe('🌸 ');
    const first = await api.server.get(`/documents/${documentId}/blocks?limit=1`);
    const rest = await api.server.get(`/documents/${documentId}/blocks?cursor=${String(first.body.nextCursor)}`);
    expect([first.body.items, rest.body.items, rest.body.nextCursor]).toEqual([
      [{ type: 'heading', depth: 1, charStart: 0, charEnd: 9 }],
      [{ type: 'paragraph', charStart: 11, charEnd: 23 }],
      null,
    ]);
    expect(shapeFaults(BlockView, (first.body.items as object[])[0], api.server.limits)).toEqual([]);
    for (const query of ['from=-1', 'to=1.5', 'from=x', 'revision=0', 'to=99999999999']) {
      const answer = await api.server.get(`/documents/${documentId}/text?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
    }
    expect((await api.server.get(`/documents/${documentId}/text?revision=7`)).body.code).toBe('TEXT_NOT_AVAILABLE');
  });

  it('has no chunks while nothing is served', async () => {
    const { documentId } = await plantDocument(api.test.database);
    const { body } = await api.server.get(`/documents/${documentId}/chunks?level=PARENT`);
    expect(body).toEqual({ items: [], nextCursor: null, version: null, textRevision: null });
    expect((await api.server.get(`/documents/${documentId}/chunks?level=parent`)).status).toBe(400);
  });

  it('says why it failed and what to do, in the language that is asked for', async () => {
    const { documentId } = await plantDocument(api.test.database);
    await api.test.database.query(`update document set parse_status = 4, error = $2 where id = $1`, [
      documentId,
      JSON.stringify({ code: 'ENCRYPTED', message: 'The file is encrypted.' }),
    ]);
    const answer = await api.server.get(`/documents/${documentId}`, { 'accept-language': 'zh' });
    expect(answer.body.error).toEqual({
      code: 'ENCRYPTED',
      message: 'The file is encrypted.',
      nextStep: '请移除密码后重新上传。',
    });
    expect(answer.body.parseStatus).toEqual({ code: 4, name: 'PARSE_FAILED', description: '解析失败' });
    expect(shapeFaults(DocumentView, answer.body, api.server.limits)).toEqual([]);
  });
});

it('what is unknown is not found, whatever is asked of it', async () => {
  for (const part of ['', '/text', '/blocks', '/source', '/chunks']) {
    const answer = await api.server.get(`/documents/${unknownId}${part}`);
    expect([part, answer.status, answer.body.code]).toEqual([part, 404, 'DOCUMENT_NOT_FOUND']);
  }
});
