// Cutting texts: this project against LangChain's recursive splitter, and a large text against a small one.
//
//   npm install --prefix bench --ignore-scripts --legacy-peer-deps    (for the comparison)
//   node bench/chunking/run.mjs
//
// Runs from the sources. Rounds are interleaved, and a ratio is the median over rounds of the ratio within a round, by CPU
// time, which other processes on the same cores disturb least.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median, table } from '../statistics.mjs';
import { cases } from './cases.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);
const chars = Number(process.env.CHARS ?? 1_000_000);
const largeChars = Number(process.env.LARGE_CHARS ?? 50_000_000);

await compareWithLangChain();
await compareSizes();

async function compareWithLangChain() {
  const rows = [];
  for (const [index, { name, goal }] of cases.entries()) {
    const { length, ours, theirs } = await reportOf('./compare.mjs', index, chars, rounds);
    const rate = (times) => (times.length === 0 ? 'not installed' : (length / median(times) / 1000).toFixed(2));
    const ratio = theirs.length === 0 ? '' : median(theirs.map((ms, round) => ms / ours[round])).toFixed(1);
    rows.push([name, rate(ours), rate(theirs), ratio, `≥ ${goal}`]);
  }
  table(['text and limit', 'ours, M chars/CPU s', 'LangChain', 'ratio', 'goal'], rows);
}

async function compareSizes() {
  const { small, large, chunks, growth } = await reportOf('./large.mjs', largeChars, 1_000_000, rounds);
  const ratio = median(large.map((rate, round) => rate / small[round]));
  console.log();
  table(
    ['English text', 'M chars/CPU s', 'to 1 MB', 'chunks', 'memory beside text and blocks'],
    [
      ['1 MB', (median(small) / 1e6).toFixed(1), '1', '', ''],
      [
        `${largeChars / 1e6} MB`,
        (median(large) / 1e6).toFixed(1),
        `${ratio.toFixed(2)} (goal ≥ 0.8)`,
        chunks,
        `${growth.toFixed(1)} × the text (goal < 12)`,
      ],
    ],
  );
}

/** What a script reports from a process of its own. */
async function reportOf(script, ...args) {
  const child = fork(new URL(script, import.meta.url), args.map(String));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended with ${code} before it reported`);
  });
  const [report] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return report;
}
