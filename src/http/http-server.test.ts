import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../domain/start-refusal.js';
import { HttpTestServer } from '../testing/http-test-server.js';
import { listeningLogger, type LogLine } from '../testing/listening-logger.js';
import { ok, type Answer } from './answer.js';
import { HttpServer } from './http-server.js';
import { route, type Route } from './route.js';

const responses = { 200: { description: 'Bytes.' } };

function get(path: string, handle: Route['handle']): Route {
  return route({ method: 'GET', path, tag: 'Test', summary: 'Test', responses, handle });
}

const streamed = (stream: Readable): Answer => ({ status: 200, stream, headers: { 'Content-Type': 'text/plain' } });

describe('stopping', () => {
  it('lets a request in hand end, closes its connection, and takes no more', async () => {
    let finish = (): void => undefined;
    const begun = new PassThrough();
    const server = await HttpTestServer.start([
      get('/slow', async () => {
        begun.end('begun');
        await new Promise<void>((resolve) => (finish = resolve));
        return ok({ done: true });
      }),
    ]);
    const answer = server.get('/slow');
    await once(begun, 'finish');
    const { url } = server;
    const stopped = server.stop();
    finish();
    expect((await answer).body).toEqual({ done: true });
    const startedAt = performance.now();
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('tells open streams to end, and waits for them', async () => {
    const server = await HttpTestServer.start([
      get('/stream', ({ signal }) => {
        const stream = new PassThrough();
        stream.write('first ');
        signal.addEventListener('abort', () => stream.end('last'));
        return streamed(stream);
      }),
    ]);
    const answer = await fetch(`${server.url}/stream`);
    const text = answer.text();
    await server.stop();
    expect(await text).toBe('first last');
  });

  it('does not wait for connections that have never been used', async () => {
    const server = await HttpTestServer.start([]);
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    await server.get('/');
    const closed = once(socket, 'close');
    const startedAt = performance.now();
    await Promise.all([server.stop(), closed]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('is bounded by the grace, whatever is open', async () => {
    const server = await HttpTestServer.start(
      [get('/never', () => new Promise<Answer>(() => undefined)), get('/stream', () => streamed(new PassThrough()))],
      { stopGraceMs: 200 },
    );
    const never = expect(server.get('/never')).rejects.toThrow();
    const stream = await fetch(`${server.url}/stream`);
    const startedAt = performance.now();
    await Promise.all([server.stop(), server.stop()]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await never;
    await expect(stream.text()).rejects.toThrow();
  });
});

describe('a client that goes away', () => {
  it('aborts the signal of its request', async () => {
    let gone = (): void => undefined;
    const left = new Promise<void>((resolve) => (gone = resolve));
    let here = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (here = resolve));
    const server = await HttpTestServer.start([
      get('/wait', async ({ signal }) => {
        here();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        gone();
        return ok({});
      }),
    ]);
    const leaving = new AbortController();
    const answer = server.call('GET', '/wait', { signal: leaving.signal });
    const refused = expect(answer).rejects.toThrow();
    await arrived;
    leaving.abort();
    await left;
    await refused;
    await server.stop();
  });
});

describe('a stream that breaks', () => {
  it('breaks its connection off instead of looking whole, and its error is logged', async () => {
    const lines: LogLine[] = [];
    function* breaking(): Generator<string> {
      yield 'some';
      throw new Error('the disk went away');
    }
    const server = await HttpTestServer.start([get('/broken', () => streamed(Readable.from(breaking())))], {
      log: listeningLogger(lines),
    });
    await expect(server.get('/broken')).rejects.toThrow();
    await server.stop();
    expect(lines.filter(({ level }) => level === 'error').map(({ fields }) => fields.error)).toEqual([
      new Error('the disk went away'),
    ]);
  });

  it('because its client went away is no error of ours, and its source is closed', async () => {
    const lines: LogLine[] = [];
    const source = new PassThrough();
    const closed = once(source, 'close');
    const server = await HttpTestServer.start([get('/endless', () => streamed(source))], {
      log: listeningLogger(lines),
    });
    const leaving = new AbortController();
    const answer = await fetch(`${server.url}/endless`, { signal: leaving.signal });
    leaving.abort();
    await expect(answer.text()).rejects.toThrow();
    await closed.catch(() => undefined);
    await server.stop();
    expect(lines.map(({ level, fields }) => [level, fields.aborted])).toEqual([['info', true]]);
  });
});

describe('an address that cannot be had', () => {
  it('is one clear sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const options = { host: '127.0.0.1', port, requestTimeoutMs: 1_000, stopGraceMs: 100 };
    const server = new HttpServer(() => undefined, options, new AbortController());
    await expect(server.start()).rejects.toThrow(
      new StartRefusal(`Port ${port} on 127.0.0.1 is taken. Stop what uses it, or set PORT to another.`),
    );
    await server.stop();
    taken.close();
  });
});
