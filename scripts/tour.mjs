// Walks the README's tour line by line, as a reader does who copies it: BASE_URL=… node scripts/tour.mjs
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './project.mjs';

const heading = '## Five-minute tour';
const longestMs = 180_000;
/** Without these words the tour did not show what it promises. */
const promised = ['CONFIRMED', 'SUCCESS', 'amber heron'];

const readme = await readFile(path.join(root, 'README.md'), 'utf8');
const lines = tourLines(readme);
const { code, output } = await walk(lines);
const problems = [
  ...(code === 0 ? [] : [`the shell ended with ${code}`]),
  ...(/^(undefined|null|NaN)$/m.test(output) ? ['a field was not in the answer'] : []),
  ...promised.filter((words) => !output.includes(words)).map((words) => `nothing said “${words}”`),
];
for (const problem of problems) process.stderr.write(`The tour is wrong: ${problem}.\n`);
if (problems.length === 0) console.log(`The tour of ${lines.length} lines works.`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The lines of the shell blocks of that section. */
function tourLines(text) {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`README.md has no section "${heading}".`);
  const rest = text.slice(from + heading.length + 2);
  const section = rest.slice(0, rest.search(/^## /m) >>> 0);
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]);
  if (blocks.length === 0) throw new Error(`The section "${heading}" has no shell blocks.`);
  return blocks
    .join('')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** One shell for all lines, so that variables carry over; it ends at the first line that fails. */
async function walk(commands) {
  const script = commands.map((line) => `printf '%s\\n' ${quoted(`$ ${line}`)}\n${line}`).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  const timer = setTimeout(() => shell.kill('SIGKILL'), longestMs);
  const code = await new Promise((resolve) => shell.once('close', (exitCode, signal) => resolve(exitCode ?? signal)));
  clearTimeout(timer);
  return { code, output };
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
