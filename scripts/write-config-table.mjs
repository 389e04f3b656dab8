// Writes the table of the configuration into the README. Run: npm run docs:config
import { readFile, writeFile } from 'node:fs/promises';
import '../ts-loader.mjs';

const { configTable } = await import('../src/config/config-table.ts');
const file = new URL('../README.md', import.meta.url);
const readme = await readFile(file, 'utf8');
const [before, after] = [
  readme.indexOf('\n## Configuration\n'),
  readme.indexOf('\n## ', readme.indexOf('\n## Configuration\n') + 5),
];
if (before < 0 || after < 0) throw new Error('README.md has no section "Configuration" with another one after it');
const section = readme.slice(before, after);
const start = section.indexOf('\n| variable');
const head = start < 0 ? section.trimEnd() : section.slice(0, start).trimEnd();
await writeFile(file, `${readme.slice(0, before)}${head}\n\n${configTable()}\n${readme.slice(after)}`);
