import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartRefusal } from '../../domain/start-refusal.js';
import { childExecOptions } from '../../processes/exec-options.js';
import type { FromDatabaseProcess, ToDatabaseProcess } from './messages.js';

const stderrKept = 4_000;

/** How a child ended: `stderr` holds its last words, for the log. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The parent's side of one process that holds the database. */
export class DatabaseChild {
  /** Resolves when the process has ended. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  private readonly child: ChildProcess;
  private stderr = '';
  private answers: ((message: FromDatabaseProcess) => void)[] = [];

  constructor() {
    // Nothing of the environment, which holds secrets of the service.
    this.child = fork(fileURLToPath(new URL('./database-process.js', import.meta.url)), [], {
      execArgv: childExecOptions(process.execArgv),
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-stderrKept);
    });
    this.child.on('message', (message: FromDatabaseProcess) => this.answers.shift()?.(message));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve({ code, signal, stderr: this.stderr }));
      this.child.once('error', (error) => resolve({ code: null, signal: null, stderr: error.message }));
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** @throws StartRefusal with the child's reason, or an Error if it failed or ended. */
  async open(opening: Omit<Extract<ToDatabaseProcess, { type: 'open' }>, 'type'>): Promise<void> {
    const answer = await this.exchange({ type: 'open', ...opening });
    if (answer?.type === 'ready') return;
    const end = await this.ended;
    if (answer?.type === 'refused') throw new StartRefusal(answer.message);
    throw new Error(
      `the embedded database could not be opened: ${answer?.type === 'failed' ? answer.stack : end.stderr}`,
    );
  }

  /** False if the process does not answer in time, because a statement keeps it busy or it hangs. */
  async answersWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
    const answer = await Promise.race([this.exchange({ type: 'ping' }), late]);
    clearTimeout(timer);
    return answer !== undefined;
  }

  /** Has it close the database; kills it if that takes longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    if (this.child.connected) this.child.send({ type: 'stop' } satisfies ToDatabaseProcess, () => undefined);
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** The child answers in the order it is asked; undefined if it ends before. */
  private exchange(message: ToDatabaseProcess): Promise<FromDatabaseProcess | undefined> {
    const answer = new Promise<FromDatabaseProcess>((resolve) => this.answers.push(resolve));
    if (this.child.connected) this.child.send(message, () => undefined);
    return Promise.race([answer, this.ended.then(() => undefined)]);
  }
}
