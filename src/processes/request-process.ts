import { fork, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { childExecOptions } from './exec-options.js';
import { lossOf, type ProcessEnd } from './process-end.js';
import { ProcessLost } from './process-lost.js';
import { decodeError, type Answer, type FromChild, type ToChild } from './wire.js';

/** What a child process runs and what it may use. */
export interface RequestProcessOptions {
  /** Names the process in messages, for example `embedding`. */
  readonly name: string;
  readonly script: URL;
  /** Heap limit. The whole process may hold half as much again and 256 MB. */
  readonly memoryMb?: number;
  /** Processor time of one request. */
  readonly cpuMs?: number;
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const stderrKept = 4_000;

/**
 * One child process that answers one request at a time. It is killed when a request takes too long or is aborted; whoever
 * owns it starts another.
 */
export class RequestProcess {
  /** Resolves when the process has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Aborted when the process has ended or was told to. */
  readonly over: AbortSignal;
  /** Requests answered, whether well or with an error. */
  answered = 0;
  /** Memory it held after its last answer. */
  rssBytes = 0;
  /** True once the request in hand, or the last one, reached the process. */
  hasTaken = false;
  /** True once it was prepared. */
  isReady = false;
  private readonly overNow = new AbortController();
  private pending: Pending | undefined;
  private stderr = '';

  /** Starts a process. @throws ProcessLost if the system refuses one */
  static spawn(options: RequestProcessOptions): RequestProcess {
    try {
      const child = fork(fileURLToPath(options.script), [], {
        serialization: 'advanced',
        execArgv: childExecOptions(process.execArgv, options.memoryMb),
        env: childEnvironment(),
        // A session of its own: see `yieldCores`. It ends with its parent all the same.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      return new RequestProcess(options, child);
    } catch (cause) {
      throw new ProcessLost('exit', `The ${options.name} process could not be started.`, { cause });
    }
  }

  private constructor(
    private readonly options: RequestProcessOptions,
    private readonly child: ChildProcess,
  ) {
    this.over = this.overNow.signal;
    this.ended = this.watchEnd();
    this.child.on('message', (message) => this.receive(message as FromChild));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-stderrKept);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** True if it ended, or will end, because its owner wanted so. */
  get wasKilled(): boolean {
    return this.child.killed;
  }

  /**
   * Hands over what the process needs and waits until it is ready.
   *
   * @throws the process's own AppError or Error; ProcessLost
   */
  async prepare(init: unknown, timeoutMs: number): Promise<void> {
    const { memoryMb, cpuMs } = this.options;
    const limits = {
      ...(memoryMb === undefined ? {} : { rssMb: Math.ceil(memoryMb * 1.5) + 256 }),
      ...(cpuMs === undefined ? {} : { cpuMs }),
    };
    const answer = await this.exchange({ type: 'init', init, limits }, timeoutMs);
    if (answer.type === 'failed') throw decodeError(answer.error);
    this.isReady = true;
  }

  /** @throws the process's own AppError or Error; ProcessLost; any Error once the signal is aborted */
  async request(request: unknown, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    this.hasTaken = false;
    const answer = await this.exchange({ type: 'request', request }, timeoutMs, signal);
    this.answered += 1;
    if (answer.type === 'ready') throw new Error('The process answered a request as if it were a start.');
    this.rssBytes = answer.rssBytes;
    if (answer.type === 'failed') throw decodeError(answer.error);
    return answer.response;
  }

  /** Ends the process at once; it holds nothing that could be lost. */
  kill(): void {
    this.overNow.abort();
    this.child.kill('SIGKILL');
  }

  private async exchange(message: ToChild, timeoutMs: number, signal?: AbortSignal): Promise<Answer> {
    const slow = new ProcessLost('timeout', `The ${this.options.name} process did not answer in ${timeoutMs} ms.`);
    const abandon = (error: Error): void => {
      this.pending?.reject(error);
      this.kill();
    };
    const timer = setTimeout(() => abandon(slow), timeoutMs);
    const abort = (): void => abandon(new Error('The request was aborted.'));
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.pending = { resolve, reject };
        this.send(message, reject);
      });
    } finally {
      this.pending = undefined;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** A send fails because the process is gone, which `ended` tells better, or because the message cannot be sent. */
  private send(message: ToChild, reject: (error: Error) => void): void {
    if (!this.child.connected) return void this.ended.then((end) => reject(lossOf(this.options.name, end)));
    this.child.send(message, (error) => {
      if (error && this.child.connected) this.kill();
    });
  }

  private receive(message: FromChild): void {
    if (message.type === 'taken') this.hasTaken = true;
    else this.pending?.resolve(message);
  }

  private watchEnd(): Promise<ProcessEnd> {
    return new Promise<ProcessEnd>((resolve) => {
      this.child.once('close', (code, signal) => resolve({ code, signal, stderr: this.stderr }));
      // The process has no id if it could not be started; then nothing else tells of it.
      this.child.on('error', (cause) => {
        if (this.child.pid === undefined) resolve({ code: null, signal: null, stderr: '', cause });
      });
    }).then((end) => {
      this.overNow.abort();
      this.pending?.reject(lossOf(this.options.name, end));
      return end;
    });
  }
}

/** Nothing of the parent's environment, which holds secrets; only what says where and when it is. */
function childEnvironment(): Record<string, string> {
  return { TMPDIR: tmpdir(), TZ: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
