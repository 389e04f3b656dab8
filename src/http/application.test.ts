import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echoRoutes } from '../testing/echo-routes.js';
import { HttpTestServer } from '../testing/http-test-server.js';
import { listeningLogger, type LogLine } from '../testing/listening-logger.js';

const lines: LogLine[] = [];
let server: HttpTestServer;

beforeAll(async () => {
  server = await HttpTestServer.start(echoRoutes, { log: listeningLogger(lines) });
});
afterAll(() => server.stop());

describe('an error', () => {
  it('is a problem with all members, in its media type', async () => {
    const answer = await server.get('/errors/3', { 'x-request-id': 'abc-1' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'urn:indexwright:problem:document-not-ready',
      title: 'The document is not parsed and confirmed',
      status: 409,
      code: 'DOCUMENT_NOT_READY',
      detail: 'Not yet.',
      requestId: 'abc-1',
      parseStatus: { code: 3, name: 'PARSE_SUCCESS', description: 'Parsed' },
      strategyStatus: { code: 2, name: 'RECOMMENDED', description: 'Waiting for confirmation' },
      currentPlanId: '9',
    });
  });

  it('that may pass says when to try again', async () => {
    const answer = await server.get('/errors/2');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('that is a bug shows nothing of itself, and is logged whole', async () => {
    const answer = await server.get('/errors/1', { 'x-request-id': 'bug-1' });
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toMatch(/secret|TypeError/);
    const line = lines.find(({ level, fields }) => level === 'error' && fields.requestId === 'bug-1');
    expect(line?.fields.error).toBeInstanceOf(TypeError);
  });
});

describe('every request', () => {
  it('has an id: its own if it is sane, else a new one', async () => {
    expect((await server.get('/things/5', { 'x-request-id': 'Mine_1.2:3' })).headers.get('x-request-id')).toBe(
      'Mine_1.2:3',
    );
    for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
      const id = (await server.get('/things/5', { 'x-request-id': bad })).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('leaves one line in the log, with ids and without what was sent', async () => {
    lines.length = 0;
    await server.get('/things/77?from=123456', { 'x-request-id': 'line-1' });
    await until(() => lines.some(({ fields }) => fields.requestId === 'line-1'));
    const line = lines.find(({ fields }) => fields.requestId === 'line-1');
    expect(line).toMatchObject({
      level: 'info',
      fields: { method: 'GET', route: '/things/:thingId', thingId: '77', status: 400 },
    });
    expect(JSON.stringify(line)).not.toContain('123456');
  });

  it('is answered in the language that suits it', async () => {
    const cases: [string | undefined, string][] = [
      [undefined, 'en'],
      ['zh', 'zh'],
      ['zh-Hans-CN,zh;q=0.9,en;q=0.8', 'zh'],
      ['fr, en;q=0.5, zh;q=0.7', 'zh'],
      ['de', 'en'],
      ['*', 'en'],
      ['zh;q=0, en;q=0.1', 'en'],
    ];
    for (const [header, language] of cases) {
      const answer = await server.get('/things/5', header === undefined ? {} : { 'accept-language': header });
      expect([header, answer.body.language]).toEqual([header, language]);
      expect(answer.headers.get('vary')).toContain('Accept-Language');
    }
  });

  it('gets the security headers, without an order to load over TLS', async () => {
    const { headers } = await server.get('/things/5');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('what is no request', () => {
  it('gets a problem for headers without end', async () => {
    const text = await server.raw(`GET /things HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(60_000)}\r\n\r\n`);
    expect(text === '' || text.startsWith('HTTP/1.1 431 ')).toBe(true);
    expect((await server.get('/things/5')).status).toBe(200);
  });

  it('gets a problem for bytes that are no HTTP', async () => {
    const text = await server.raw('HELLO\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
  });

  it('gets a problem for a target that is not a URL, and for a missing host', async () => {
    const cases = [
      ['GET http://[::/things HTTP/1.1\r\nHost: x', 'The request has a target that is not a URL.'],
      ['GET /things/5 HTTP/1.1', 'The request has no Host header.'],
    ] as const;
    for (const [head, detail] of cases) {
      const text = await server.raw(`${head}\r\nConnection: close\r\nX-Request-Id: odd-1\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: odd-1\r\n/);
      expect(text).toContain('Content-Type: application/problem+json');
      expect(text).toContain(`"detail":"${detail}","requestId":"odd-1"`);
    }
    expect(await server.raw('GET /things/5 HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

describe('the documentation', () => {
  it('shows its viewer without a network', async () => {
    const page = await server.get('/docs/');
    expect([page.status, (await server.get('/docs')).headers.get('location')]).toEqual([200, '/docs/']);
    for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await server.get(`/docs/${path ?? ''}`);
      expect([path, asset.status]).toEqual([path, 200]);
    }
    expect((await server.get('/docs/swagger-ui-init.js')).text).toContain('"swaggerUrl": "/openapi.json"');
    expect(page.text).not.toMatch(/(?:src|href)="https?:/);
  });

  it('answers with a problem where it has nothing', async () => {
    for (const path of ['package.json', 'none.js', '%zz', '%00', '..%2fpackage.json']) {
      const answer = await server.get(`/docs/${path}`);
      expect([path, answer.status, answer.body.status]).toEqual([path, answer.status, answer.status]);
      expect([400, 404]).toContain(answer.status);
    }
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
