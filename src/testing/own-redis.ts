import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnServer, ports } from './own-server.js';

const readyWithinMs = 20_000;
const keptOnDisk = ['--appendonly', 'yes', '--appendfsync', 'always'];

export interface OwnRedisOptions {
  /** Asked of every client, if it is given. */
  readonly password?: string;
  /** Whether it writes to disk and so comes back with what it had; otherwise it is empty after each start. */
  readonly keeps?: boolean;
}

/** A Redis of the test's own, to be paused, killed and started again. */
export class OwnRedis extends OwnServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'own-redis-'));

  private constructor(
    private readonly port: number,
    private readonly options: OwnRedisOptions,
  ) {
    super(readyWithinMs, 20);
  }

  /** A server that answers. */
  static async create(options: OwnRedisOptions = {}): Promise<OwnRedis> {
    const [port = 0] = await (await ports()).freePorts(1);
    const redis = new OwnRedis(port, options);
    await redis.start();
    return redis;
  }

  private get password(): string | undefined {
    return this.options.password;
  }

  get url(): string {
    return `redis://${this.password === undefined ? '' : `:${this.password}@`}127.0.0.1:${this.port}`;
  }

  protected launch(): ChildProcess {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const disk = ['--save', '', ...(this.options.keeps ? keptOnDisk : ['--appendonly', 'no'])];
    const secret = this.password === undefined ? [] : ['--requirepass', this.password];
    return spawn('redis-server', [...place, ...disk, ...secret], { stdio: 'ignore' });
  }

  protected excuse(): Promise<string> {
    return Promise.resolve('redis-server did not start');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The server's answer to one command, over a connection of its own; for looks past the service. */
  async tell(...words: string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      const auth = this.password === undefined ? '' : wire(['AUTH', this.password]);
      socket.setEncoding('utf8').write(auth + wire(words));
      const replies = auth === '' ? 1 : 2;
      let text = '';
      for await (const part of socket) {
        text += String(part);
        if (text.split('\r\n').length > replies) break;
      }
      return text.slice(auth === '' ? 0 : '+OK\r\n'.length);
    } finally {
      socket.destroy();
    }
  }

  protected answers(): Promise<boolean> {
    return this.tell('PING').then(
      (reply) => reply.startsWith('+PONG'),
      () => false,
    );
  }
}

/** A command as Redis reads it. */
function wire(words: readonly string[]): string {
  return [`*${words.length}`, ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]), ''].join('\r\n');
}
