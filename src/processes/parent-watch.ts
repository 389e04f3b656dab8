import { Worker } from 'node:worker_threads';

const intervalMs = 500;

/**
 * Runs beside the main thread, which may be busy for minutes and then sees neither a closed channel nor its own size.
 * The memory limit ends the process with SIGABRT, as a full heap does, so that the parent reads both alike.
 */
const watch = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > workerData.rssBytes) process.kill(process.pid, 'SIGABRT');
}, ${intervalMs});
`;

/** Ends this process when its parent is gone or it holds more than `rssMb` megabytes, however busy it is. */
export function watchParent(rssMb: number | undefined): void {
  const workerData = { parent: process.ppid, rssBytes: rssMb === undefined ? Infinity : rssMb * 1024 * 1024 };
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  // Without options of its own it would load what the process loads, a TypeScript compiler for example.
  new Worker(watch, { eval: true, execArgv: [], env: {}, workerData, resourceLimits }).unref();
}
