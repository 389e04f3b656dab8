import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OwnServer, ports } from '../own-server.js';

const run = promisify(execFile);
const readyWithinMs = 60_000;
const services = new URL('../../../scripts/services/rabbitmq.mjs', import.meta.url).href;

interface Command {
  readonly program: string;
  readonly env: Record<string, string>;
}

interface Services {
  rabbitProgram(): Promise<string | undefined>;
  rabbitCommand(place: { folder: string; port: number; nodePort: number; settings?: string }): Promise<Command>;
}

/** A RabbitMQ broker of the test's own, to be paused, killed and told what to do. Needs the program rabbitmq-server. */
export class OwnRabbit extends OwnServer {
  private constructor(
    private readonly folder: string,
    private readonly command: Command,
    private readonly port: number,
  ) {
    super(readyWithinMs, 100);
  }

  /** @param settings options of the Erlang machine */
  static async create(settings?: string): Promise<OwnRabbit> {
    const rabbit = (await import(services)) as Services;
    await rabbit.rabbitProgram();
    const folder = await mkdtemp(join(tmpdir(), 'own-rabbit-'));
    const [port = 0, nodePort = 0] = await (await ports()).freePorts(2);
    const command = await rabbit.rabbitCommand({ folder, port, nodePort, ...(settings ? { settings } : {}) });
    return new OwnRabbit(folder, command, port);
  }

  get url(): string {
    return this.urlAt(this.port);
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: this.port };
  }

  /** The same broker behind something that listens on another port. */
  urlAt(port: number): string {
    return `amqp://guest:guest@127.0.0.1:${port}`;
  }

  /** Has the operator's program do something. */
  async control(...words: string[]): Promise<string> {
    const program = join(dirname(this.command.program), 'rabbitmqctl');
    return (await run(program, ['-q', ...words], { env: this.command.env })).stdout;
  }

  protected launch(): ChildProcess {
    const log = createWriteStream(this.log, { flags: 'a' });
    const child = spawn(this.command.program, [], { env: this.command.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    return child;
  }

  protected async answers(): Promise<boolean> {
    return (await ports()).answers(this.port);
  }

  protected async excuse(): Promise<string> {
    return `the broker did not start:\n${(await readFile(this.log, 'utf8')).slice(-2_000)}`;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get log(): string {
    return join(this.folder, 'output.log');
  }
}
