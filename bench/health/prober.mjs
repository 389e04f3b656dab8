// Asks for the given paths in turn at a steady pace, whatever the answers do, and hands over all that it saw when it is told to end.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const { url, pid, everyMs, paths } = JSON.parse(process.argv[2]);
/** One connection as a rule; more only while answers are late. What idles for long, the server would close under a request. */
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
/** For each answer: of which path, when it was asked for, in epoch ms, how long it took, and how much of that was waiting for a core. */
const samples = [];
const now = () => performance.timeOrigin + performance.now();
const begunAt = now();
let asked = 0;
let timer;

function ask() {
  const path = paths[asked % paths.length];
  asked += 1;
  const sentAt = now();
  const inLineBefore = inLineMs();
  const request = http.get(url + path, { agent }, (response) => {
    response.resume().once('end', () => {
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
      samples.push({ path, sentAt, tookMs: now() - sentAt, inLineMs: inLineMs() - inLineBefore });
    });
  });
  request.once('error', (error) => {
    throw error;
  });
  // Due at its own time, so that a slow answer does not slow the questions.
  timer = setTimeout(ask, Math.max(0, begunAt + asked * everyMs - now()));
}

/** How long this process and the service's main thread have stood in line for a core, in ms since they began. */
function inLineMs() {
  return [pid, process.pid].reduce((sum, one) => {
    const [, waitedNs] = readFileSync(`/proc/${one}/task/${one}/schedstat`, 'utf8').split(' ');
    return sum + Number(waitedNs) / 1e6;
  }, 0);
}

process.on('message', async () => {
  clearTimeout(timer);
  // Nothing that was asked for is left out, however long it takes.
  while (samples.length < asked) await new Promise((resolve) => setTimeout(resolve, 10));
  process.send(samples);
});
process.on('disconnect', () => process.exit());
ask();
process.send('asking');
