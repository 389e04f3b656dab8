// Runs one case in a process of its own, in interleaved rounds, and reports the CPU times of both sides to the parent.
import { register } from 'tsx/esm/api';
import { cases } from './cases.mjs';

register();
const { langchainCutters, ourCutters } = await import('./cutters.mjs');
const [index, chars, rounds] = process.argv.slice(2).map(Number);
const { text: make, by, theirs: form = by } = cases[index];
const text = make(chars);
const ours = await ourCutters();
const theirs = await langchainCutters();
// By characters both get the text alone; by tokens this project also gets the structure that it cuts along.
const blocks = by === 'chars' ? [] : ours.blocksOf(text);
const times = { ours: [], theirs: [] };
for (let warm = 0; warm < 10; warm += 1) {
  ours[by](text, blocks);
  // By tokens LangChain takes seconds, and is as warm as it gets by its first round.
  if (by === 'chars') await theirs?.[form](text);
}
for (let round = 0; round < (by === 'chars' ? 10 * rounds : rounds); round += 1) {
  times.ours.push(await cpuMs(() => ours[by](text, blocks)));
  if (theirs) times.theirs.push(await cpuMs(() => theirs[form](text)));
}
process.send({ length: text.length, ...times });
process.disconnect();

async function cpuMs(work) {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
