import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echoRoutes } from '../testing/echo-routes.js';
import { HttpTestServer, wrongPaths } from '../testing/http-test-server.js';

let server: HttpTestServer;

beforeAll(async () => {
  server = await HttpTestServer.start(echoRoutes);
});
afterAll(() => server.stop());

describe('ids in a body', () => {
  it.each([
    ['a decimal string', '"9007199254740993"', '9007199254740993'],
    ['the largest', '"9223372036854775807"', '9223372036854775807'],
    ['a safe integer', '12345', '12345'],
  ])('takes %s', async (_, literal, id) => {
    const answer = await server.post('/things', `{"thingId":${literal}}`);
    expect([answer.status, answer.body.thingId]).toEqual([201, id]);
  });

  it.each([
    ['a number that JSON rounds', '9007199254740993'],
    ['a fraction', '1.5'],
    ['null', 'null'],
    ['a list', '["1"]'],
    ['an object', '{"id":1}'],
    ['a truth value', 'true'],
    ['zero', '0'],
    ['a negative number', '-1'],
    ['no digits', '""'],
    ['letters', '"abc"'],
    ['an exponent', '"1e3"'],
    ['a leading zero', '"007"'],
    ['blanks', '" 1 "'],
    ['full-width digits', '"１２"'],
    ['more than 64 bits', '"9223372036854775808"'],
    ['a NUL', '"1\\u0000"'],
    ['a lone surrogate', '"\\ud800"'],
  ])('refuses %s', async (_, literal) => {
    const answer = await server.post('/things', `{"thingId":${literal}}`);
    expect([answer.status, answer.body.code, wrongPaths(answer)]).toEqual([400, 'INVALID_REQUEST', ['thingId']]);
  });
});

describe('a JSON body', () => {
  it('is told everything that is wrong with it at once, inner fields and unknown ones too', async () => {
    const answer = await server.post(
      '/things?colour=red',
      '{"ownerId":{},"title":5,"count":101,"ids":["1","x"],"parts":[{"name":""},{"nome":"x"},7],"taskStatus":3}',
    );
    expect(answer.status).toBe(400);
    expect(wrongPaths(answer).sort()).toEqual(
      ['colour', 'count', 'ids', 'ownerId', 'parts', 'taskStatus', 'thingId', 'title'].sort(),
    );
    const inner = await server.post('/things', '{"thingId":"1","parts":[{"name":""},{"nome":"x"}]}');
    expect(wrongPaths(inner).sort()).toEqual(['parts[0].name', 'parts[1].name', 'parts[1].nome']);
  });

  it('may leave optional fields out, or null', async () => {
    const answer = await server.post('/things', '{"thingId":"1","ownerId":null}');
    expect([answer.status, answer.text]).toEqual([201, '{"thingId":"1"}']);
  });

  it('has blanks round its texts taken out, and repeats out of its lists', async () => {
    const answer = await server.post('/things', '{"thingId":"1","title":" ab\\ud83c\\udf38 ","ids":[7,"7",8]}');
    expect([answer.body.title, answer.body.ids]).toEqual(['ab🌸', ['7', '8']]);
  });

  it.each(['a\\u0000b', '\\u0000', '\\ud800', 'a\\udc00b', '\\udf38\\ud83c'])(
    'is refused with the field where a text is %s, which no database can hold',
    async (text) => {
      const answer = await server.post('/things', `{"thingId":"1","title":"${text}","parts":[{"name":"${text}"}]}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(wrongPaths(answer).sort()).toEqual(['parts[0].name', 'title']);
    },
  );

  it('has lengths counted in code points, and the limit named', async () => {
    const fits = await server.post('/things', JSON.stringify({ thingId: '1', title: '字🌸'.repeat(250) }));
    const over = await server.post('/things', JSON.stringify({ thingId: '1', title: '字🌸'.repeat(250) + 'x' }));
    expect([fits.status, over.status]).toEqual([201, 400]);
    expect(over.text).toContain('at most 500 characters');
  });

  it.each([
    ['an open object', '{'],
    ['a missing value', '{"thingId":}'],
    ['a trailing comma', '{"thingId":"1",}'],
    ['half a word', 'nul'],
    ['text after the end', '{"thingId":"1"} x'],
    ['single quotes', "{'thingId':1}"],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['nothing', ''],
  ])('is malformed as %s', async (_, body) => {
    const answer = await server.post('/things', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED_JSON']);
  });

  it.each(['[]', '"x"', '1', 'null', 'true', '{}'])('is invalid as %s', async (body) => {
    const answer = await server.post('/things', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it.each([
    ['20,000 nested lists', `{"thingId":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['20,000 nested objects', `{"thingId":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
    ['a list of 20,000', `{"thingId":"1","ids":[${'1,'.repeat(19_999)}1]}`],
    ['keys that every object has by birth', '{"thingId":"1","__proto__":{"x":1},"constructor":{"y":1},"toString":1}'],
    ['a list of lists of parts', '{"thingId":"1","parts":[[{"name":"x"}]]}'],
  ])('is refused as %s', async (_, body) => {
    const answer = await server.post('/things', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it.each([
    ['90,000 fields', `{${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`).join(',')}}`],
    ['many lists of many items', `{"ids":[${Array.from({ length: 900 }, () => `[${'1,'.repeat(500)}1]`).join(',')}]}`],
    ['many objects', `{"parts":[${Array.from({ length: 9_000 }, () => '{"a":1,"b":2,"c":3,"d":4}').join(',')}]}`],
  ])('is refused quickly and shortly with %s', async (_, body) => {
    const startedAt = performance.now();
    const answer = await server.post('/things', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it('lists two hundred wrong fields at most', async () => {
    const answer = await server.post(
      '/things',
      JSON.stringify(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`f${i}`, 1]))),
    );
    expect(wrongPaths(answer).length).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=gbk',
  ])('is no JSON as %s', async (type) => {
    const answer = await server.post('/things', '{"thingId":"1"}', { 'content-type': type });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may name its charset, if that is UTF-8', async () => {
    const answer = await server.post('/things', '{"thingId":"1"}', {
      'content-type': 'Application/JSON; Charset="UTF-8"',
    });
    expect(answer.status).toBe(201);
  });

  it('must not be compressed', async () => {
    const answer = await server.post('/things', '{"thingId":"1"}', { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may be absent where nothing is needed, and must hold nothing else', async () => {
    const bare = await server.call('POST', '/things/5/touch');
    const empty = await server.post('/things/5/touch', '{}');
    const blank = await server.post('/things/5/touch', '');
    const more = await server.post('/things/5/touch', '{"x":1}');
    expect([bare.status, empty.status, blank.status, more.status]).toEqual([200, 200, 200, 400]);
    expect(wrongPaths(more)).toEqual(['x']);
  });
});

describe('a body over the limit', () => {
  it('is answered on its announced length, before it is sent', async () => {
    const length = String(24 * 1024 * 1024);
    const answer = await server.slow(
      'POST',
      '/things',
      { 'content-type': 'application/json', 'content-length': length },
      (write) => write('"'),
    );
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([413, 'PAYLOAD_TOO_LARGE', 1_048_576]);
  });

  it('is answered when its length was not announced', async () => {
    const answer = await server.slow('POST', '/things', { 'content-type': 'application/json' }, (write) => {
      for (let i = 0; i < 20; i += 1) write(Buffer.alloc(64 * 1024, 'a'));
    });
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('is answered to a client that sends all of it first', async () => {
    const answer = await server.post('/things', `"${'a'.repeat(24 * 1024 * 1024)}"`);
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('is never asked for from a client that waits for 100 Continue', async () => {
    const head = ['POST /things HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Expect: 100-continue'];
    const refused = await server.raw([...head, 'Connection: close', 'Content-Length: 9999999', '', ''].join('\r\n'));
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    const wanted = await server.raw(
      [...head, 'Connection: close', 'Content-Length: 15', '', '{"thingId":"1"}'].join('\r\n'),
    );
    expect(wanted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});
