// Synthetic texts from seeds: the same for every run, with the words of the model's own vocabulary.
import { readFileSync } from 'node:fs';

const vocabulary = Object.keys(
  JSON.parse(readFileSync(new URL('../../models/all-MiniLM-L6-v2/tokenizer.json', import.meta.url), 'utf8')).model
    .vocab,
);
const words = vocabulary.filter((piece) => /^[a-z]{2,}$/.test(piece));
const known = vocabulary.filter((piece) => /^[\u4e00-\u9fff]$/.test(piece));
const unknown = Array.from({ length: known.length * 2 }, (_, index) => String.fromCharCode(0x4e00 + index * 13));
const ideographs = [...known, ...unknown];

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const between = (next, least, most) => least + Math.floor(next() * (most - least + 1));
/** Few words make up most of a text. */
const pick = (next, list) => list[Math.floor(list.length ** next()) - 1] ?? list[0];
const repeat = (times, make) => Array.from({ length: times }, make);

function englishSentence(next) {
  const list = repeat(between(next, 5, 24), () => pick(next, words) + (next() < 0.08 ? ',' : ''));
  const sentence = list.join(' ').replace(/,$/, '');
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
}

function chineseSentence(next) {
  const part = () => repeat(between(next, 4, 16), () => pick(next, ideographs)).join('');
  return `${repeat(between(next, 1, 3), part).join('，')}${next() < 0.9 ? '。' : '？'}`;
}

function markdown(chars, seed, sentence, gap) {
  const next = random(seed);
  const sentences = (least, most) => repeat(between(next, least, most), () => sentence(next)).join(gap);
  const blocks = [];
  for (let length = 0, heading = 0; length < chars; length += blocks.at(-1).length + 2) {
    const kind = next();
    if (kind < 0.12) {
      heading += 1;
      blocks.push(`${'#'.repeat(between(next, 1, 3))} ${heading} ${sentence(next).slice(0, 40)}`);
    } else if (kind < 0.2) blocks.push(repeat(between(next, 3, 7), () => `- ${sentence(next)}`).join('\n'));
    else if (kind < 0.24)
      blocks.push(`\`\`\`js\n${repeat(6, (_, line) => `const value${line} = read(${line});`).join('\n')}\n\`\`\``);
    else blocks.push(sentences(2, 8));
  }
  return blocks.join('\n\n').slice(0, chars);
}

export const english = (chars, seed = 1) => markdown(chars, seed, englishSentence, ' ');
export const chinese = (chars, seed = 1) => markdown(chars, seed, chineseSentence, '');
/** One line of letters without a blank. */
export function solid(chars, seed = 1) {
  const next = random(seed);
  return repeat(chars, () => String.fromCharCode(97 + Math.floor(next() * 26))).join('');
}
