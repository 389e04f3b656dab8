// Starts the service as a person does, on a free port and an empty data folder, runs a command against it with BASE_URL
// set, and takes it away again: node scripts/with-service.mjs <command> [arguments]
//
// Fails if the command fails, if the service does not stop cleanly, leaves a process behind, or grew too large.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './project.mjs';
import { fail, runCommand } from './run-command.mjs';
import { freePorts } from './services/free-port.mjs';

const readyWithinMs = 300_000;
const stoppedWithinMs = 30_000;
const largestMb = 1_500;

const [command, ...args] = process.argv.slice(2);
if (!command) fail(new Error('which command?'));
const dataDir = await mkdtemp(path.join(tmpdir(), 'indexwright-run-'));
const [port] = await freePorts(1);
const baseUrl = `http://127.0.0.1:${port}`;
let output = '';
// A group of its own, as a terminal gives one: a signal to it reaches npm and everything below at once.
const service = spawn('npm', ['start'], {
  cwd: root,
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
});
for (const stream of [service.stdout, service.stderr])
  stream.setEncoding('utf8').on('data', (text) => (output += text));
const ended = new Promise((resolve) => service.once('close', (code, signal) => resolve(code ?? signal)));

process.once('exit', () => signalGroup('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

try {
  await untilReady();
  await runCommand(command, command, args, { env: { ...process.env, BASE_URL: baseUrl }, show: true });
  refuseLarge();
  await stopCleanly();
} catch (error) {
  process.stderr.write(`\nThe service said:\n${output.slice(-4_000)}\n`);
  process.exitCode ||= 1;
  report(error);
} finally {
  signalGroup('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}

async function untilReady() {
  const began = Date.now();
  while (Date.now() - began < readyWithinMs) {
    const ready = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (ready?.ok) {
      console.log(`npm start was ready after ${((Date.now() - began) / 1_000).toFixed(1)} s.`);
      return;
    }
    if (service.exitCode !== null) throw new Error(`npm start ended with ${service.exitCode}.`);
    await pause(200);
  }
  throw new Error('npm start was not ready in time.');
}

async function stopCleanly() {
  const began = Date.now();
  signalGroup('SIGTERM');
  const code = await Promise.race([ended, pause(stoppedWithinMs, 'late', { ref: false })]);
  // npm itself says that it was ended by the signal.
  if (code !== 0 && code !== 'SIGTERM' && code !== 143) throw new Error(`The service did not stop cleanly (${code}).`);
  while (processes().length > 0) {
    if (Date.now() - began > stoppedWithinMs)
      throw new Error(`The service left processes behind: ${processes().join(', ')}.`);
    await pause(50);
  }
  console.log(`It stopped within ${((Date.now() - began) / 1_000).toFixed(1)} s.`);
}

function refuseLarge() {
  const mb = Math.round(processes().reduce((sum, pid) => sum + residentKb(pid), 0) / 1_024);
  console.log(`Its processes hold ${mb} MB.`);
  if (mb > largestMb) throw new Error(`That is more than ${largestMb} MB.`);
}

/** Those of the service's group that have not ended. */
function processes() {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const line = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, , group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      return Number(group) === service.pid && state !== 'Z';
    } catch {
      return false;
    }
  });
}

function residentKb(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function signalGroup(signal) {
  try {
    process.kill(-service.pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

function report(error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
