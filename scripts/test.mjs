// npm test: does its own set-up and runs every test that needs no server.
// npm run test:all, or CI=true npm test: also brings up PostgreSQL, Kafka and RabbitMQ, lints, and runs the rest.
// npm run test:faults: kills, pauses and cuts off processes, brokers and databases of its own; part of test:all.
// npm test -- <path or jest option> …: only that; suites that need servers expect TEST_DATABASE_URL, KAFKA_BROKERS and AMQP_URL.
// Suites of Redis start their own and need the program redis-server, those of RabbitMQ the program rabbitmq-server;
// without one CI fails, and others are told.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { root, typescriptOptions } from './project.mjs';
import { requireNode } from './require-node.mjs';
import { CommandFailed, runCommand } from './run-command.mjs';
import { freePorts } from './services/free-port.mjs';
import { kafkaJars, startKafka } from './services/kafka.mjs';
import { bringUpPostgres } from './services/postgres.mjs';
import { rabbitProgram, startRabbit } from './services/rabbitmq.mjs';
import { redisVersion } from './services/redis.mjs';

const postgresSuites = '\\.pg\\.test\\.ts$';
const kafkaSuites = '\\.kafka\\.test\\.ts$';
const rabbitSuites = '\\.rabbitmq\\.test\\.ts$';
const redisSuites = '\\.redis\\.test\\.ts$';
const faultSuites = '\\.faults\\.test\\.ts$';

requireNode();
const given = process.argv.slice(2);
const onlyFaults = given.includes('--faults');
const chosen = given.filter((argument) => argument !== '--all' && argument !== '--faults');
const everything = given.includes('--all') || process.env.CI === 'true';
const totals = { passed: 0, failed: 0 };
const work = await mkdtemp(path.join(tmpdir(), 'indexwright-tests-'));
let broken = false;
try {
  await ensureInstalled();
  if (chosen.length > 0) await jest('chosen', 2, chosen, {});
  else if (onlyFaults) await faultTests();
  else {
    if (everything) await check();
    const needServers = [postgresSuites, kafkaSuites, rabbitSuites, redisSuites, faultSuites];
    await jest('without servers', 2, ['--testPathIgnorePatterns', ...needServers], {});
    if (everything && !process.exitCode) await withServers(serverTests);
    if (everything && !process.exitCode) await faultTests();
  }
} catch (error) {
  broken = true;
  process.exitCode ||= 1;
  report(error);
} finally {
  await rm(work, { recursive: true, force: true });
}
if (broken && totals.failed === 0) totals.failed = 1;
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
if (totals.failed > 0) process.exitCode ||= 1;

/** What the code must fulfil without being run. A check that fails counts as a test that fails. */
async function check() {
  const checks = [
    ['Checking types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
    ['Checking rules', 'node_modules/eslint/bin/eslint.js', '.'],
    ['Checking that the rules hold', 'scripts/planted-violations.mjs'],
    ['Checking the format', 'node_modules/prettier/bin/prettier.cjs', '--check', '.'],
  ];
  for (const [title, program, ...args] of checks) {
    if (process.exitCode) return;
    console.log(`${title} …`);
    try {
      await runCommand(title, process.execPath, [path.join(root, program), ...args], { cwd: root });
    } catch (error) {
      totals.failed += 1;
      report(error);
    }
  }
}

/** The suites of Kafka, RabbitMQ and Redis pause and kill servers and measure what follows: beside others they would measure those. */
async function serverTests(env) {
  await jest('with PostgreSQL', 2, ['--testPathPatterns', postgresSuites], env);
  await jest('with Kafka', 1, ['--testPathPatterns', kafkaSuites], env);
  if (env.AMQP_URL) await jest('with RabbitMQ', 1, ['--testPathPatterns', rabbitSuites], env);
  else leaveOut('RabbitMQ', 'rabbitmq-server');
  if (await redisVersion()) await jest('with Redis', 1, ['--testPathPatterns', redisSuites], env);
  else leaveOut('Redis', 'redis-server');
}

function leaveOut(server, program) {
  if (process.env.CI === 'true') throw new Error(`The suites of ${server} need the program ${program}.`);
  console.log(`\nTests with ${server} are left out: there is no program ${program} here.`);
}

/** They start the servers that they strike. Beside each other they would only wait for the machine. */
async function faultTests() {
  await jest('under faults', 1, ['--testPathPatterns', faultSuites], { KAFKA_JARS: await kafkaJars() });
}

/** A service that cannot be had fails the run: nothing is skipped silently. */
async function withServers(run) {
  const started = [];
  try {
    const postgres = await bringUpPostgres(process.env.TEST_DATABASE_URL);
    started.push(postgres);
    const kafka = await bringUpKafka(process.env.KAFKA_BROKERS);
    started.push(kafka);
    const rabbit = await bringUpRabbit(process.env.AMQP_URL);
    started.push(rabbit);
    await run({
      TEST_DATABASE_URL: postgres.url,
      KAFKA_BROKERS: kafka.address,
      KAFKA_JARS: await kafkaJars(),
      AMQP_URL: rabbit.url,
    });
  } finally {
    for (const service of started.reverse()) await service.stop();
  }
}

async function bringUpKafka(named) {
  if (named) return { address: named, stop: () => Promise.resolve() };
  const [port, controllerPort] = await freePorts(2);
  const kafka = await startKafka({ folder: path.join(work, 'kafka'), port, controllerPort });
  console.log(`Kafka runs on ${kafka.address}.`);
  return kafka;
}

/** Without an address where there is no such program. */
async function bringUpRabbit(named) {
  if (named || !(await rabbitProgram())) return { url: named, stop: () => Promise.resolve() };
  const rabbit = await startRabbit(path.join(work, 'rabbitmq'));
  console.log('RabbitMQ runs.');
  return rabbit;
}

/**
 * Runs suites. One that fails beside others is run once more with the machine to itself, and that decides: a suite that
 * kills servers and waits for them can run out of time on a busy machine. What was unsteady is said.
 */
async function jest(name, workers, args, env) {
  if (process.exitCode) return;
  console.log(`\nTests ${name}:`);
  const first = await runJest(name, [`--maxWorkers=${workers}`, ...args], env);
  const failed = first.suites.filter((suite) => suite.failed > 0).map((suite) => suite.file);
  if (failed.length === 0 && first.failure) throw first.failure;
  count(first.suites.filter((suite) => suite.failed === 0));
  if (failed.length === 0) return;
  console.log(`\nTests ${name}, once more and alone:`);
  const second = await runJest(`${name} again`, ['--runInBand', '--runTestsByPath', ...failed], env);
  count(second.suites);
  for (const { file } of second.suites.filter((suite) => suite.failed === 0)) {
    console.log(`unsteady: ${path.relative(root, file)} failed beside others and passed alone`);
  }
}

async function runJest(name, args, env) {
  const results = path.join(work, `${name.replaceAll(' ', '-')}.json`);
  const program = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--no-warnings', '--experimental-vm-modules', ...typescriptOptions];
  const run = runCommand(
    `Tests ${name}`,
    process.execPath,
    [...options, program, '--json', '--outputFile', results, ...args],
    {
      cwd: root,
      env: { ...process.env, ...env },
      show: true,
    },
  );
  const failure = await run.then(
    () => undefined,
    (error) => error,
  );
  const { testResults } = JSON.parse(await readFile(results, 'utf8'));
  return { failure, suites: testResults.map(suiteOf) };
}

/** A suite that could not even be run counts as one failed test. */
function suiteOf({ name: file, status, assertionResults }) {
  const counted = (wanted) => assertionResults.filter((result) => result.status === wanted).length;
  const failed = counted('failed');
  return { file, passed: counted('passed'), failed: failed === 0 && status === 'failed' ? 1 : failed };
}

function count(suites) {
  for (const { passed, failed } of suites) {
    totals.passed += passed;
    totals.failed += failed;
  }
}

function report(error) {
  if (error instanceof CommandFailed) process.stderr.write(`${error.output.trimEnd()}\n${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
