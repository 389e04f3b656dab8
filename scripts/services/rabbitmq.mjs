// One RabbitMQ broker without a container, for tests: node of its own, in a folder of its own.
import { spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { canInstallPackages, installPackages } from './debian.mjs';
import { answers, freePorts } from './free-port.mjs';

/** Debian's place; the program of that name on the path is a wrapper that changes the user. */
const releases = '/usr/lib/rabbitmq/lib';
const readyWithinMs = 90_000;

/** The broker's program, or undefined where there is none and none can be installed. */
export async function rabbitProgram() {
  if (!find() && canInstallPackages()) await installPackages(['rabbitmq-server'], 'the suites of RabbitMQ run brokers');
  return find();
}

function find() {
  if (!existsSync(releases)) return undefined;
  const programs = readdirSync(releases).map((release) => path.join(releases, release, 'sbin', 'rabbitmq-server'));
  return programs.find((program) => existsSync(program));
}

/**
 * How to start a broker of that folder in the foreground: the process that is started is the broker itself.
 *
 * @param {{ folder: string, port: number, nodePort: number, settings?: string }} place settings: options of the Erlang machine
 */
export async function rabbitCommand({ folder, port, nodePort, settings = '' }) {
  const program = find();
  if (!program) throw new Error('The program rabbitmq-server is missing.');
  await mkdir(folder, { recursive: true });
  const config = path.join(folder, 'rabbitmq.conf');
  await writeFile(config, `listeners.tcp.1 = 127.0.0.1:${port}\n`);
  await writeFile(path.join(folder, 'enabled_plugins'), '[].\n');
  const env = {
    ...process.env,
    // Holds the secret by which Erlang nodes know each other.
    HOME: folder,
    RUNNING_UNDER_SYSTEMD: 'true',
    RABBITMQ_NODENAME: `indexwright-${port}@localhost`,
    RABBITMQ_DIST_PORT: String(nodePort),
    RABBITMQ_MNESIA_BASE: path.join(folder, 'data'),
    RABBITMQ_LOG_BASE: path.join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(folder, 'enabled_plugins'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: settings,
  };
  return { program, env };
}

/**
 * @param {string} folder
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} a broker that answers
 */
export async function startRabbit(folder) {
  const [port, nodePort] = await freePorts(2);
  const { program, env } = await rabbitCommand({ folder, port, nodePort });
  const log = path.join(folder, 'output.log');
  const output = openSync(log, 'w');
  const broker = spawn(program, [], { env, stdio: ['ignore', output, output] });
  const stop = () => stopRabbit(broker);
  const giveUpAt = Date.now() + readyWithinMs;
  while (!(await answers(port))) {
    if (broker.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`RabbitMQ did not start:\n${(await readFile(log, 'utf8')).slice(-2_000)}`);
    }
    await pause(200);
  }
  return { url: `amqp://guest:guest@127.0.0.1:${port}`, stop };
}

async function stopRabbit(broker) {
  if (broker.exitCode !== null || broker.signalCode !== null) return;
  const ended = new Promise((resolve) => broker.once('exit', resolve));
  broker.kill('SIGKILL');
  await ended;
}
