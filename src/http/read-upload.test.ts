import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../domain/errors.js';
import { HttpTestServer } from '../testing/http-test-server.js';
import { ok } from './answer.js';
import { IdTextField } from './fields/id-fields.js';
import { TextField } from './fields/text-fields.js';
import { route, upload, type UploadTarget } from './route.js';

class Fields {
  @IdTextField({ description: 'A base.', example: '1', optional: true })
  knowledgeBaseId?: string;

  @TextField({ description: 'A title.', example: 'A', optional: true, maxLength: 'titleLength' })
  title?: string;
}

interface Kept {
  readonly key: number;
  readonly sha256: string;
}

/** Keeps what arrives in memory; `whole` are the keys that are there, `settled` counts the stores that came to an end. */
class MemoryTarget implements UploadTarget<Kept> {
  readonly whole = new Set<number>();
  failure: Error | undefined;
  begun = 0;
  settled = 0;
  private waiting: (() => void)[] = [];

  async store(source: Readable): Promise<Kept> {
    const key = (this.begun += 1);
    const hash = createHash('sha256');
    try {
      for await (const part of source) {
        if (this.failure) throw this.failure;
        hash.update(part as Buffer);
      }
      this.whole.add(key);
      return { key, sha256: hash.digest('hex') };
    } finally {
      this.settled += 1;
      for (const wake of this.waiting.splice(0)) wake();
    }
  }

  discard({ key }: Kept): Promise<void> {
    this.whole.delete(key);
    return Promise.resolve();
  }

  /** Resolves when the next store comes to its end. */
  nextEnd(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

const target = new MemoryTarget();
const mostBytes = 300_000;
let server: HttpTestServer;

const routes = [
  route({
    method: 'POST',
    path: '/files',
    tag: 'Files',
    summary: 'Upload',
    body: upload(Fields, target),
    responses: { 200: { description: 'What arrived.' } },
    handle: ({ body: { fields, file } }) =>
      ok({ fields, name: file.fileName, type: file.mediaType, hash: file.stored.sha256 }),
  }),
];

beforeAll(async () => {
  server = await HttpTestServer.start(routes, { env: { UPLOAD_MAX_BYTES: String(mostBytes) } });
});
afterAll(() => server.stop());
afterEach(() => {
  target.failure = undefined;
  target.whole.clear();
});

function form(parts: [name: string, value: string | Blob, fileName?: string][]): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, fileName ?? 'a.md');
  }
  return data;
}

const file = (text: string | Buffer = '# a'): Blob => new Blob([text], { type: 'text/markdown' });
const send = (parts: Parameters<typeof form>[0]) => server.call('POST', '/files', { body: form(parts) });
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const wrongFields = (body: Record<string, unknown>) => body.fields as { path: string; message: string }[];

/** The head of an upload, and its file part without end. */
function openUpload(length: number | 'chunked', fileBytes: string): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\nContent-Type: text/plain\r\n\r\n${fileBytes}`;
  const head = `POST /files HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n${framing}\r\n\r\n`;
  return head + (length === 'chunked' ? `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n` : part);
}

describe('an upload', () => {
  it('arrives byte for byte, with its fields before or after the file', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) % 256));
    for (const parts of [
      [
        ['file', file(bytes), '中文 🌸.xlsx'],
        ['title', '标题'],
        ['knowledgeBaseId', '5'],
      ],
      [
        ['title', '标题'],
        ['knowledgeBaseId', '5'],
        ['file', file(bytes), '中文 🌸.xlsx'],
      ],
    ] as Parameters<typeof form>[0][]) {
      const answer = await send(parts);
      expect(answer.body).toEqual({
        fields: { title: '标题', knowledgeBaseId: '5' },
        name: '中文 🌸.xlsx',
        type: 'text/markdown',
        hash: sha256(bytes),
      });
    }
  });

  it('may be empty, and exactly as large as the limit', async () => {
    expect((await send([['file', file('')]])).body.hash).toBe(sha256(''));
    const most = Buffer.alloc(mostBytes, 1);
    expect((await send([['file', file(most)]])).body.hash).toBe(sha256(most));
  });

  it('has the folders of its file name taken off', async () => {
    expect((await send([['file', file(), '../../etc/passwd']])).body.name).toBe('passwd');
  });

  it('is told everything that is wrong with its form, and leaves nothing', async () => {
    const answer = await send([
      ['knowledgeBaseId', 'abc'],
      ['title', 'x'.repeat(501)],
      ['taskStatus', '3'],
      ['file', file()],
      ['file', file('second')],
      ['other', file(), 'o.txt'],
    ]);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(
      wrongFields(answer.body)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['file', 'knowledgeBaseId', 'other', 'taskStatus', 'title'].sort());
    expect(target.whole.size).toBe(0);
  });

  it.each<[string, Parameters<typeof form>[0], string]>([
    ['without a file', [['title', 'x']], 'is required'],
    ['with text where the file should be', [['file', 'text']], 'must be a file with a file name'],
    [
      'with a file name of 256 characters',
      [['file', file(), 'n'.repeat(253) + '.md']],
      'must have a name of at most 255 characters',
    ],
  ])('%s is refused and says so', async (_, parts, message) => {
    const answer = await send(parts);
    expect([answer.status, wrongFields(answer.body)]).toEqual([400, [{ path: 'file', message }]]);
    expect(target.whole.size).toBe(0);
  });

  it('may have a file name of 255 code points', async () => {
    expect((await send([['file', file(), '🌸'.repeat(252) + '.md']])).status).toBe(200);
  });

  it('may not have a field that is endless, or too many of them', async () => {
    expect(
      (
        await send([
          ['file', file()],
          ['title', 'x'.repeat(70_000)],
        ])
      ).status,
    ).toBe(400);
    const many = Array.from({ length: 30 }, (_, i): [string, string] => [`f${i}`, 'x']);
    expect((await send([['file', file()], ...many])).status).toBe(400);
    expect(target.whole.size).toBe(0);
  });

  it('has field names that are no objects', async () => {
    const answer = await send([
      ['file', file()],
      ['title[a]', 'x'],
      ['__proto__[b]', 'x'],
      ['constructor', 'x'],
    ]);
    expect(answer.status).toBe(400);
    expect(Object.prototype).not.toHaveProperty('b');
  });

  it('is 415 in any other media type', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=b', 'multipart/form-data']) {
      const answer = await server.post('/files', '{"file":"x"}', { 'content-type': type });
      expect([type, answer.status, answer.body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  it('that ends in the middle of its form is 400', async () => {
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nhalf';
    const answer = await server.post('/files', body, { 'content-type': 'multipart/form-data; boundary=b' });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(target.whole.size).toBe(0);
  });
});

describe('an upload over the limit', () => {
  it('is refused by its announced length, before anything is stored', async () => {
    const before = target.begun;
    const answer = await server.slow(
      'POST',
      '/files',
      { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '5000000' },
      (write) => write('--b\r\n'),
    );
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([413, 'PAYLOAD_TOO_LARGE', mostBytes]);
    expect(target.begun).toBe(before);
  });

  it('is refused at the first byte too many, while the client still holds the rest back', async () => {
    const answer = await server.slow(
      'POST',
      '/files',
      { 'content-type': 'multipart/form-data; boundary=b' },
      (write) => {
        write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n');
        write(Buffer.alloc(mostBytes + 100_000, 'a'));
      },
    );
    expect([answer.status, answer.body.limit, target.whole.size]).toEqual([413, mostBytes, 0]);
  });

  it('is answered to a client that sends all of it first', async () => {
    const answer = await send([['file', file(Buffer.alloc(mostBytes + 1))]]);
    expect([answer.status, answer.body.code, target.whole.size]).toEqual([413, 'PAYLOAD_TOO_LARGE', 0]);
  });

  it('is refused also where the bytes are in parts that are not taken', async () => {
    const answer = await server.slow(
      'POST',
      '/files',
      { 'content-type': 'multipart/form-data; boundary=b' },
      (write) => {
        write('--b\r\nContent-Disposition: form-data; name="other"; filename="a.md"\r\n\r\n');
        write(Buffer.alloc(2_000_000, 'a'));
      },
    );
    expect(answer.status).toBe(413);
  });
});

describe('an upload that breaks off', () => {
  it.each([1_000_000, 'chunked'] as const)('leaves nothing (%s)', async (length) => {
    const ended = target.nextEnd();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(openUpload(length, 'x'.repeat(50_000)));
    const begun = target.begun + 1;
    while (target.begun < begun) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await ended;
    expect(target.whole.size).toBe(0);
  });

  it('because its client is too slow is ended by the server, with a word', async () => {
    const impatient = await HttpTestServer.start(routes, { requestTimeoutMs: 1_000 });
    const ended = target.nextEnd();
    const text = await impatient.raw(openUpload(1_000, 'slow'));
    await ended;
    await impatient.stop();
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"REQUEST_TIMEOUT"');
    expect(target.whole.size).toBe(0);
  });
});

describe('a target that fails', () => {
  it('answers with its own error while the upload still arrives', async () => {
    target.failure = new AppError('STORAGE_UNAVAILABLE', 'The disk is full.');
    const answer = await server.slow(
      'POST',
      '/files',
      { 'content-type': 'multipart/form-data; boundary=b' },
      (write) => {
        write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nsome');
      },
    );
    expect([answer.status, answer.body.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
  });

  it('answers with its own error when it broke the form off before it failed', async () => {
    const store = target.store.bind(target);
    target.store = async (source) => {
      source.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new AppError('STORAGE_UNAVAILABLE', 'The disk is full.');
    };
    const answer = await send([['file', file('a'.repeat(100_000))]]);
    target.store = store;
    expect([answer.status, answer.body.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
  });

  it('answers with its own error when it does not even begin', async () => {
    const store = target.store.bind(target);
    target.store = () => {
      throw new AppError('DATABASE_UNAVAILABLE', 'There are no ids.');
    };
    const answer = await send([['file', file()]]);
    target.store = store;
    expect([answer.status, answer.body.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
    expect((await send([['file', file()]])).status).toBe(200);
  });
});
