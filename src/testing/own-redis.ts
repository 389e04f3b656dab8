import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const readyWithinMs = 20_000;

/** A Redis of the test's own that keeps nothing on disk, to be paused, killed and started again empty. */
export class OwnRedis {
  private process: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'own-redis-'));

  private constructor(
    private readonly port: number,
    private readonly password: string | undefined,
  ) {}

  /** A server that answers. @param password asked of every client, if it is given. */
  static async create(password?: string): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort(), password);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://${this.password === undefined ? '' : `:${this.password}@`}127.0.0.1:${this.port}`;
  }

  /** Starts it empty; at once when it runs already. */
  async start(): Promise<void> {
    if (this.process) return;
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const secret = this.password === undefined ? [] : ['--requirepass', this.password];
    const child = spawn('redis-server', [...options, '--dir', this.folder, ...secret], { stdio: 'ignore' });
    this.process = child;
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    const giveUpAt = Date.now() + readyWithinMs;
    while (!(await this.answers())) {
      if (failure) throw failure;
      if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error('redis-server did not start');
      await pause(20);
    }
  }

  /** Goes on running, and answers nothing. */
  hang(): void {
    this.process?.kill('SIGSTOP');
  }

  wake(): void {
    this.process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
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

  private answers(): Promise<boolean> {
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
