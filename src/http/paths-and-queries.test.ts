import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echoRoutes } from '../testing/echo-routes.js';
import { HttpTestServer, wrongPaths } from '../testing/http-test-server.js';

let server: HttpTestServer;

beforeAll(async () => {
  server = await HttpTestServer.start(echoRoutes);
});
afterAll(() => server.stop());

describe('a path', () => {
  it.each(['/things/abc', '/things/0', '/things/007', '/things/9223372036854775808', '/things/%00', '/things/1.5'])(
    '%s has an id that is none',
    async (path) => {
      const answer = await server.get(path);
      expect([answer.status, answer.body.code, wrongPaths(answer)]).toEqual([400, 'INVALID_REQUEST', ['thingId']]);
    },
  );

  it('with a fixed word is not taken by a parameter, whatever the order of the table', async () => {
    expect((await server.get('/things/special')).body).toEqual({ special: true });
  });

  it.each(['/things/%E0%A4%A', '/%c0%ae%c0%ae/etc/passwd', '/..%2f..%2fetc%2fpasswd', '//etc/passwd'])(
    '%s is 400 or 404',
    async (path) => {
      const text = await server.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(text).toContain('application/problem+json');
    },
  );

  it('that is unknown is 404 NOT_FOUND', async () => {
    for (const path of ['/nope', '/', '/things/1/nope', '/Things']) {
      const answer = await server.get(path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });

  it('tells what it allows instead of another method', async () => {
    const answer = await server.call('DELETE', '/things');
    expect([answer.status, answer.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    const options = await server.call('OPTIONS', '/things/5/touch');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });

  it('that can be read can be asked for its headers alone', async () => {
    const answer = await server.call('HEAD', '/things/5');
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, '', '31']);
  });
});

describe('a list', () => {
  it('takes codes and names as filters', async () => {
    for (const status of ['RUNNING', '2']) {
      expect((await server.get(`/things?status=${status}`)).body.query).toEqual({ status: 2 });
    }
  });

  it('goes on where the page before ended', async () => {
    const first = await server.get('/things?limit=1&status=NEW');
    const cursor = String(first.body.nextCursor);
    const next = await server.get(`/things?status=NEW&limit=200&cursor=${cursor}`);
    expect(next.body.page).toEqual({ limit: 200, after: '41' });
  });

  it('refuses the cursor of another list, or of other filters', async () => {
    const cursor = String((await server.get('/things?status=NEW')).body.nextCursor);
    const other = await server.get(`/things?status=RUNNING&cursor=${cursor}`);
    expect([other.status, wrongPaths(other)]).toEqual([400, ['cursor']]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=garbage!', 'cursor'],
    ["cursor='; DROP TABLE x", 'cursor'],
    ['cursor=', 'cursor'],
    ['status=NONSENSE', 'status'],
    ['status=99', 'status'],
    ['from=-1', 'from'],
    ['from=1e3', 'from'],
    ['colour=red', 'colour'],
  ])('refuses ?%s', async (query, path) => {
    const answer = await server.get(`/things?${query}`);
    expect([answer.status, answer.body.code, wrongPaths(answer)]).toEqual([400, 'INVALID_REQUEST', [path]]);
  });
});
