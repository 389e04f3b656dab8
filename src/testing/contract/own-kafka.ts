import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const readyWithinMs = 60_000;
const services = new URL('../../../scripts/services/kafka.mjs', import.meta.url).href;

/** A Kafka broker of the test's own, to be paused and killed. Needs Java 17; Maven while the jars are missing. */
export class OwnKafka {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly classPath: string,
    private readonly port: number,
  ) {}

  static async create(): Promise<OwnKafka> {
    const { kafkaJars } = (await import(services)) as { kafkaJars: () => Promise<string> };
    const jars = await kafkaJars();
    const folder = await mkdtemp(join(tmpdir(), 'own-kafka-'));
    const [port, controllerPort] = await freePorts();
    const broker = new OwnKafka(folder, `${jars}/*`, port);
    await writeFile(broker.settings, settings(port, controllerPort, join(folder, 'data')));
    await broker.format();
    return broker;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Resolves when the port answers; at once when it runs already. */
  async start(): Promise<void> {
    if (this.process) return;
    const log = createWriteStream(join(this.folder, 'broker.log'), { flags: 'a' });
    const options = ['-Xmx256m', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
    const child = spawn('java', [...options, '-cp', this.classPath, 'kafka.Kafka', this.settings], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    this.process = child;
    const giveUpAt = Date.now() + readyWithinMs;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(await this.excuse());
      await pause(100);
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
    await rm(this.folder, { recursive: true, force: true });
  }

  private get settings(): string {
    return join(this.folder, 'server.properties');
  }

  private async format(): Promise<void> {
    const id = 'b3duLWthZmthLXRlc3Rz';
    const tool = ['-cp', this.classPath, 'kafka.tools.StorageTool'];
    await run('java', [...tool, 'format', '-t', id, '-c', this.settings]);
  }

  private async excuse(): Promise<string> {
    const log = await readFile(join(this.folder, 'broker.log'), 'utf8');
    return `the broker did not start:\n${log.slice(-2_000)}`;
  }
}

function settings(port: number, controllerPort: number, data: string): string {
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    'controller.listener.names=CONTROLLER',
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${data}`,
    'auto.create.topics.enable=false',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    // Tests that kill members in a loop have the group forget them soon.
    'group.min.session.timeout.ms=1000',
    // A broker that was killed may come back at once.
    'broker.session.timeout.ms=1500',
    'broker.heartbeat.interval.ms=500',
  ].join('\n');
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const [first, second] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [first ?? 0, second ?? 0];
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
