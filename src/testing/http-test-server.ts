import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { loadConfig } from '../config/app-config.js';
import { createApplication } from '../http/application.js';
import { HttpServer } from '../http/http-server.js';
import { serviceLimits, type ServiceLimits } from '../http/request-limits.js';
import type { KeyedCalls } from '../http/idempotency/keyed-calls.js';
import type { Route } from '../http/route.js';
import { silentLogger, type Logger } from '../logging/logger.js';

/** An answer, read to its end. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; an empty object for anything else. */
  readonly body: Record<string, unknown>;
}

/** Paths of the fields that an answer calls wrong. */
export function wrongPaths({ body }: TestAnswer): string[] {
  return (body.fields as { path: string }[]).map((field) => field.path);
}

export interface TestServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Logger;
  /** For routes that create. */
  readonly keyed?: KeyedCalls;
  readonly stopGraceMs?: number;
  readonly requestTimeoutMs?: number;
}

/** A server with routes of a test's own, on a free port. */
export class HttpTestServer {
  private constructor(
    readonly server: HttpServer,
    readonly limits: ServiceLimits,
  ) {}

  static async start(routes: readonly Route[], options: TestServerOptions = {}): Promise<HttpTestServer> {
    const { http } = loadConfig(options.env ?? {});
    const limits = serviceLimits(http, testChunkLimits);
    const stopping = new AbortController();
    const log = options.log ?? silentLogger;
    const server = new HttpServer(
      createApplication({
        routes,
        limits,
        log,
        stopping: stopping.signal,
        ...(options.keyed ? { keyed: options.keyed } : {}),
      }),
      {
        host: '127.0.0.1',
        port: 0,
        requestTimeoutMs: options.requestTimeoutMs ?? http.requestTimeoutMs,
        stopGraceMs: options.stopGraceMs ?? 2_000,
      },
      stopping,
    );
    await server.start();
    return new HttpTestServer(server, limits);
  }

  get url(): string {
    return this.server.url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async call(method: string, path: string, init: RequestInit = {}): Promise<TestAnswer> {
    const answer = await fetch(this.url + path, { method, redirect: 'manual', ...init });
    return readAnswer(answer.status, answer.headers, await answer.text());
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.call('GET', path, { headers });
  }

  /** Sends a body as it is written; the media type is JSON unless another is named. */
  post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.call('POST', path, {
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Sends headers, and then only what `write` writes; for bodies that stop, never end, or are refused early. */
  slow(
    method: string,
    path: string,
    headers: Record<string, string>,
    write: (part: (bytes: string | Buffer) => void) => void,
  ): Promise<TestAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(this.url + path, { method, headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          resolve(readAnswer(answer.statusCode ?? 0, toHeaders(answer.headers), Buffer.concat(parts).toString()));
          request.destroy();
        });
      });
      request.on('error', reject);
      write((bytes) => request.write(bytes));
    });
  }

  /** Writes bytes on a raw connection and gives all that comes back until it closes. */
  raw(bytes: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (part) => parts.push(part));
      socket.on('close', () => resolve(Buffer.concat(parts).toString()));
      socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

const testChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
} as const;

function readAnswer(status: number, headers: Headers, text: string): TestAnswer {
  const isJson = (headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status, headers, text, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

function toHeaders(raw: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}
