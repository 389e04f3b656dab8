// Runs other programs for the scripts: their output is kept back unless they fail, and they never outlive the script.
import { spawn } from 'node:child_process';

/** A program ended with something else than 0. */
export class CommandFailed extends Error {
  constructor(title, code, output) {
    super(`${title} failed (exit ${code}).`);
    this.code = code;
    this.output = output;
  }
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const running = new Set();

/** While a program runs, a signal to this process ends it too. */
function endAll(signal) {
  for (const child of running) child.kill('SIGTERM');
  process.exitCode = 128 + signals[signal];
}

function enter(child) {
  if (running.size === 0) for (const signal of Object.keys(signals)) process.on(signal, endAll);
  running.add(child);
}

function leave(child) {
  running.delete(child);
  if (running.size === 0) for (const signal of Object.keys(signals)) process.off(signal, endAll);
}

/**
 * @param {string} title what it does, for the message of a failure
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { show?: boolean, input?: string }} [options] `show` lets its
 *   output through
 * @returns {Promise<string>} what it wrote
 */
export async function runCommand(title, command, args, { show = false, input, ...options } = {}) {
  const stdio = show ? 'inherit' : [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  const child = spawn(command, args, { ...options, stdio });
  enter(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  if (input !== undefined) child.stdin?.end(input);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  leave(child);
  if (code !== 0) throw new CommandFailed(title, code, output);
  return output;
}

/** Says why a script cannot go on, and ends it. */
export function fail(error) {
  if (error instanceof CommandFailed) process.stderr.write(`${error.output.trimEnd()}\n${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(typeof process.exitCode === 'number' && process.exitCode > 0 ? process.exitCode : 1);
}
