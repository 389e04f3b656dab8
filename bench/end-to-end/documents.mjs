import { makeTexts } from '../embedding/texts.mjs';

const paragraphsAtOnce = 40;
const sentenceStart = /(^|\. )([a-z])/g;

/** English Markdown of about `size` characters, another one for every seed: sections, paragraphs, lists, tables, code. */
export function makeDocument(size, seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let stock = [];
  const paragraph = () => {
    if (stock.length === 0) stock = makeTexts(paragraphsAtOnce, Math.floor(next() * 2 ** 31));
    return stock.pop().replace(sentenceStart, (_, before, letter) => before + letter.toUpperCase());
  };
  const words = (count) => paragraph().split(' ').slice(0, count).join(' ').replace(/\.$/, '');
  const blocks = [`# ${words(6)} (${seed})`];
  let length = blocks[0].length;
  for (let section = 1; length < size; section += 1) {
    const block = blockOf(next(), section, words, paragraph);
    blocks.push(block);
    length += block.length + 2;
  }
  return `${blocks.join('\n\n')}\n`;
}

function blockOf(chance, section, words, paragraph) {
  if (chance < 0.15) return `## ${section} ${words(5)}`;
  if (chance < 0.25) return Array.from({ length: 5 }, () => `- ${words(9)}`).join('\n');
  if (chance < 0.29)
    return ['| name | meaning |', '| --- | --- |', ...[1, 2, 3].map(() => `| ${words(2)} | ${words(6)} |`)].join('\n');
  if (chance < 0.33)
    return ['```js', ...[1, 2, 3].map((n) => `const value${n} = ${words(1)}(${n});`), '```'].join('\n');
  return paragraph();
}
