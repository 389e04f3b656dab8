import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OwnServer, ports } from '../own-server.js';
import { makeGuard, type Guard } from './kafka-guard.js';

const run = promisify(execFile);
const readyWithinMs = 120_000;
const services = new URL('../../../scripts/services/kafka.mjs', import.meta.url).href;

/** A Kafka broker of the test's own, to be paused and killed. Needs Java 17; Maven while the jars are missing. */
export class OwnKafka extends OwnServer {
  private constructor(
    readonly folder: string,
    private readonly classPath: string,
    private readonly port: number,
  ) {
    super(readyWithinMs, 100);
  }

  /** @param guarded whether it lets in only who is encrypted and names itself. */
  static async create(guarded = false): Promise<OwnKafka> {
    const { kafkaJars } = (await import(services)) as { kafkaJars: () => Promise<string> };
    const jars = await kafkaJars();
    const folder = await mkdtemp(join(tmpdir(), 'own-kafka-'));
    const [port = 0, controllerPort = 0] = await (await ports()).freePorts(2);
    const broker = new OwnKafka(folder, `${jars}/*`, port);
    const guard = guarded ? await makeGuard(folder) : undefined;
    await writeFile(broker.settings, settings(port, controllerPort, join(folder, 'data'), guard));
    await broker.format(guard?.formatOptions ?? []);
    return broker;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  protected launch(): ChildProcess {
    const log = createWriteStream(this.log, { flags: 'a' });
    const options = ['-Xmx256m', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
    const child = spawn('java', [...options, '-cp', this.classPath, 'kafka.Kafka', this.settings], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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

  private get settings(): string {
    return join(this.folder, 'server.properties');
  }

  private get log(): string {
    return join(this.folder, 'broker.log');
  }

  private async format(more: readonly string[]): Promise<void> {
    const id = 'b3duLWthZmthLXRlc3Rz';
    const tool = ['-cp', this.classPath, 'kafka.tools.StorageTool'];
    await run('java', [...tool, 'format', '-t', id, '-c', this.settings, ...more]);
  }
}

function settings(port: number, controllerPort: number, data: string, guard?: Guard): string {
  const clients = guard ? 'SASL_SSL' : 'PLAINTEXT';
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    'controller.listener.names=CONTROLLER',
    `listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=CLIENTS://127.0.0.1:${port}`,
    'inter.broker.listener.name=CLIENTS',
    `listener.security.protocol.map=CLIENTS:${clients},CONTROLLER:PLAINTEXT`,
    ...(guard?.settings ?? []),
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
