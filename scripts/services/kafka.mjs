// One Kafka broker (KRaft) without a container, for development and tests.
//
//   node scripts/services/kafka.mjs start | stop | status
//
// KAFKA_DIR (default .kafka) holds its data, log and process number, KAFKA_PORT (9092) is its port and the next one the
// controller's. Topics are not made by themselves, as in production. Needs Java 17; Maven while the jars are missing.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../project.mjs';
import { fail, runCommand } from '../run-command.mjs';
import { installPackages } from './debian.mjs';
import { answers } from './free-port.mjs';

const version = '4.1.1';
const readyWithinMs = 90_000;
const stopWithinMs = 30_000;

/** Folder of the broker's jars, fetched the first time. */
export async function kafkaJars() {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const jars = process.env.KAFKA_JARS || path.join(cache, 'indexwright', `kafka-${version}`);
  if (!existsSync(jars)) await fetchJars(jars);
  return jars;
}

/** The jars appear whole or not at all; of several fetches at once, the first one counts. */
async function fetchJars(jars) {
  await ensureProgram('mvn', 'maven');
  console.log(`Fetching Kafka ${version} …`);
  await mkdir(path.dirname(jars), { recursive: true });
  const work = await mkdtemp(`${jars}-`);
  const artifact = (group, name, number) =>
    `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${number}</version></dependency>`;
  const pom = path.join(work, 'pom.xml');
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>broker</artifactId><version>1</version>
     <dependencies>${artifact('org.apache.kafka', 'kafka_2.13', version)}${artifact('org.slf4j', 'slf4j-simple', '1.7.36')}</dependencies></project>`,
  );
  try {
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime'];
    await runCommand('Fetching Kafka', 'mvn', [...args, `-DoutputDirectory=${work}/jars`]);
    await rename(path.join(work, 'jars'), jars).catch((error) => {
      if (!existsSync(jars)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * @param {{ folder: string, port: number, controllerPort: number }} place
 * @returns {Promise<{ address: string, stop(): Promise<void> }>} a broker that answers
 */
export async function startKafka({ folder, port, controllerPort }) {
  const address = `127.0.0.1:${port}`;
  const stop = () => stopKafka(folder);
  if (runningPid(folder)) return { address, stop };
  for (const taken of [port, controllerPort]) {
    if (await answers(taken)) throw new Error(`Port ${taken} is taken; KAFKA_PORT chooses another.`);
  }
  await ensureProgram('java', 'openjdk-17-jre-headless');
  const classPath = `${await kafkaJars()}/*`;
  await mkdir(folder, { recursive: true });
  const settings = settingsFile(folder);
  await writeFile(settings, settingsOf(folder, port, controllerPort));
  if (!existsSync(path.join(folder, 'data', 'meta.properties'))) await format(classPath, settings);
  await launch(folder, classPath, port);
  return { address, stop };
}

async function format(classPath, settings) {
  // The tool would read a name that begins with a dash as an option.
  const cluster = `K${randomBytes(16).toString('base64url').slice(0, 20)}w`;
  const args = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', cluster, '-c', settings];
  await runCommand('Preparing the storage of Kafka', 'java', args);
}

async function launch(folder, classPath, port) {
  const log = path.join(folder, 'broker.log');
  const output = openSync(log, 'w');
  const options = ['-Xmx512m', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
  options.push('-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info');
  const args = [...options, '-cp', classPath, 'kafka.Kafka', settingsFile(folder)];
  const broker = spawn('java', args, { detached: true, stdio: ['ignore', output, output] });
  broker.unref();
  await writeFile(pidFile(folder), String(broker.pid));
  const giveUpAt = Date.now() + readyWithinMs;
  while (!((await readFile(log, 'utf8')).includes('Kafka Server started') && (await answers(port)))) {
    if (broker.exitCode !== null || Date.now() > giveUpAt) {
      await stopKafka(folder);
      throw new Error(`Kafka did not start:\n${(await readFile(log, 'utf8')).slice(-2_000)}`);
    }
    await pause(200);
  }
}

/** Stops the broker of that folder, and no other. */
export async function stopKafka(folder) {
  const pid = runningPid(folder);
  if (!pid) return;
  process.kill(pid, 'SIGTERM');
  const killAt = Date.now() + stopWithinMs;
  while (runningPid(folder)) {
    if (Date.now() > killAt) process.kill(pid, 'SIGKILL');
    await pause(100);
  }
  await rm(pidFile(folder), { force: true });
}

/** A number in the file counts only while a broker with this folder's settings has it. */
function runningPid(folder) {
  try {
    const pid = Number(readFileSync(pidFile(folder), 'utf8'));
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return command.includes('kafka.Kafka') && command.includes(settingsFile(folder)) ? pid : undefined;
  } catch {
    return undefined;
  }
}

const pidFile = (folder) => path.join(folder, 'broker.pid');
const settingsFile = (folder) => path.join(folder, 'server.properties');

function settingsOf(folder, port, controllerPort) {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${path.join(folder, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
log.segment.bytes=16777216
`;
}

async function ensureProgram(name, debianPackage) {
  const found = (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
  if (!found) await installPackages([debianPackage], `${name} is needed for Kafka`);
}

async function main(command) {
  const folder = path.resolve(root, process.env.KAFKA_DIR || '.kafka');
  const port = Number(process.env.KAFKA_PORT || 9_092);
  if (command === 'start') {
    const { address } = await startKafka({ folder, port, controllerPort: port + 1 });
    console.log(`Kafka runs on ${address}.`);
  } else if (command === 'stop') {
    await stopKafka(folder);
    console.log('Kafka is stopped.');
  } else if (command === 'status') {
    const pid = runningPid(folder);
    console.log(pid ? `Kafka runs (process ${pid}).` : 'Kafka is stopped.');
    process.exitCode = pid ? 0 : 1;
  } else throw new Error('start, stop or status?');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv[2]).catch(fail);
