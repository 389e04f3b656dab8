// Cuts a large English text and a small one by turns in a process of its own, and reports rates and memory to the parent.
import { register } from 'tsx/esm/api';
import { english } from './texts.mjs';

register();
const { ourCutters } = await import('./cutters.mjs');
const [largeChars, smallChars, rounds] = process.argv.slice(2).map(Number);
const { tokens, blocksOf } = await ourCutters();
const [small, large] = [english(smallChars, 7), english(largeChars, 3)];
const [smallBlocks, largeBlocks] = [blocksOf(small), blocksOf(large)];
rate(small, smallBlocks, 10); // warm-up

const before = process.memoryUsage().rss;
const chunks = tokens(large, largeBlocks).children.length;
const growth = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
const rates = { small: [], large: [] };
for (let round = 0; round < rounds; round += 1) {
  rates.small.push(rate(small, smallBlocks, Math.max(1, Math.round(largeChars / smallChars / 2))));
  rates.large.push(rate(large, largeBlocks, 1));
}
process.send({ ...rates, chunks, growth: growth / Buffer.byteLength(large) });
process.disconnect();

/** Characters per CPU second of cutting a text some times. */
function rate(text, blocks, times) {
  const from = process.cpuUsage();
  for (let time = 0; time < times; time += 1) tokens(text, blocks);
  const { user, system } = process.cpuUsage(from);
  return (text.length * times * 1e6) / (user + system);
}
