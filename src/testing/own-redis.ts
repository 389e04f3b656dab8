import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnServer, ports } from './own-server.js';

const readyWithinMs = 20_000;

/** A Redis of the test's own that keeps nothing on disk, to be paused, killed and started again empty. */
export class OwnRedis extends OwnServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'own-redis-'));

  private constructor(
    private readonly port: number,
    private readonly password: string | undefined,
  ) {
    super(readyWithinMs, 20);
  }

  /** A server that answers. @param password asked of every client, if it is given. */
  static async create(password?: string): Promise<OwnRedis> {
    const [port = 0] = await (await ports()).freePorts(1);
    const redis = new OwnRedis(port, password);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://${this.password === undefined ? '' : `:${this.password}@`}127.0.0.1:${this.port}`;
  }

  protected launch(): ChildProcess {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const secret = this.password === undefined ? [] : ['--requirepass', this.password];
    return spawn('redis-server', [...options, '--dir', this.folder, ...secret], { stdio: 'ignore' });
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
