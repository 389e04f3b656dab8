import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median, table } from '../statistics.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);

/** Reads a file by the service and by others, in interleaved rounds, and prints what each took. */
export async function compareReaders(name, path, others) {
  const variants = ['service', ...others];
  const taken = new Map(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of variants) taken.get(variant).push(await reading(variant, path));
  }
  const own = taken.get('service');
  const result = variants.map((variant) => {
    const all = taken.get(variant).filter(Boolean);
    if (all.length < rounds) return [variant, 'failed or not installed', '', '', '', ''];
    const middle = (key) => median(all.map((one) => one[key]));
    const ratio = (key) => median(all.map((one, round) => one[key] / own[round][key])).toFixed(2);
    const figures = [
      (middle('ms') / 1_000).toFixed(1),
      (middle('cpuMs') / 1_000).toFixed(1),
      middle('rssMb').toFixed(0),
    ];
    return [variant, ...figures, ratio('cpuMs'), ratio('rssMb')];
  });
  table([name, 'seconds', 'CPU s', 'peak MB', 'CPU to ours', 'memory to ours'], result);
  console.log();
}

/** What one reading took; undefined if it did not come to its end. */
async function reading(variant, path) {
  const child = fork(new URL('./reader-child.mjs', import.meta.url), [variant, path], {
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  let report;
  child.once('message', (message) => (report = message));
  await once(child, 'exit');
  return report;
}
