import { Worker } from 'node:worker_threads';

const intervalMs = 500;

/** What a child process may use before it is ended from within. */
export interface ProcessLimits {
  /** Memory of the whole process. */
  readonly rssMb?: number;
  /** Processor time of one request, all threads together. */
  readonly cpuMs?: number;
}

/**
 * Runs beside the main thread, which may be busy for minutes and then sees neither a closed channel nor its own size.
 * The memory limit ends the process with SIGABRT, as a full heap does, so that the parent reads both alike; the limit of
 * processor time with the signal that systems use for it.
 */
const watch = `
const { workerData } = require('node:worker_threads');
const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > workerData.rssBytes) process.kill(process.pid, 'SIGABRT');
  if (cpuMs() > workerData.cpuMsEnd[0]) process.kill(process.pid, 'SIGXCPU');
}, ${intervalMs});
`;

/** Ends this process when its parent is gone or it uses more than it may, however busy it is. */
export class ParentWatch {
  /** Processor time of the process at which the request in hand has used up its share. */
  private readonly cpuMsEnd = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Infinity);

  constructor(private readonly limits: ProcessLimits) {
    const { rssMb = Infinity } = limits;
    const workerData = { parent: process.ppid, rssBytes: rssMb * 1024 * 1024, cpuMsEnd: this.cpuMsEnd };
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
    // Without options of its own it would load what the process loads, a TypeScript compiler for example.
    new Worker(watch, { eval: true, execArgv: [], env: {}, workerData, resourceLimits }).unref();
  }

  /** Counts processor time from here. */
  requestBegins(): void {
    const { user, system } = process.cpuUsage();
    this.cpuMsEnd[0] = (user + system) / 1_000 + (this.limits.cpuMs ?? Infinity);
  }
}
