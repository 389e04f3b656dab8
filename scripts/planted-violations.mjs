// Proves that the lint enforces the layout: each line below breaks one of its rules and must be refused, and each line
// of `allowed` must pass. Part of `npm run lint`.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const refused = [
  ['src/domain/planted.ts', `import '../database/database.js';`, 'the domain imports nothing of ours'],
  ['src/domain/planted.ts', `import 'node:fs';`, 'the domain does no I/O'],
  ['src/plans/planted.ts', `import '../http/http-server.js';`, 'a feature does not know the edge'],
  ['src/plans/planted.ts', `import '../adapters/kafka/kafka-publisher.js';`, 'a feature does not know an adapter'],
  [
    'src/builds/planted.ts',
    `import type { Kafka } from 'kafkajs'; export type X = Kafka;`,
    'kafkajs stays in its adapter',
  ],
  [
    'src/worker/planted.ts',
    `import { DataSource } from 'typeorm'; export const x = DataSource;`,
    'typeorm stays in database/',
  ],
  ['src/documents/planted.ts', `import express from 'express'; export const x = express;`, 'express stays in http/'],
  [
    'src/adapters/pglite/planted.ts',
    `import '../kafka/kafka-publisher.js'; import 'kafkajs';`,
    'an adapter keeps to its technology',
  ],
  ['src/search/planted.ts', `export const x = () => import('pg');`, 'dynamic imports count'],
  ['src/plans/planted.ts', `export { App } from '../app.js';`, 'nobody imports the composition'],
  ['src/worker/planted.ts', `import '../testing/factories.js';`, 'production code does not know the tests'],
  ['src/nowhere/planted.ts', `export const x = 1;`, 'every folder is declared'],
  ['src/builds/planted.ts', `export const x = process.env;`, 'only main.ts reads the environment'],
];
const allowed = [
  ['src/plans/planted.ts', `import '../domain/errors.js'; import '../database/database.js';`],
  ['src/adapters/kafka/planted.ts', `import { Kafka } from 'kafkajs'; export const x = Kafka;`],
  ['src/plans/planted.test.ts', `import '../testing/factories.js';`],
];

const layoutRules = /^boundaries\/|^no-restricted-properties$/;
const eslint = new ESLint({
  // The planted files do not exist, so there are no types to check them by.
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { languageOptions: { parserOptions: { projectService: false } } },
  ],
});

async function findings(filePath, text) {
  const [result] = await eslint.lintText(text, { filePath });
  return result.messages.filter(({ ruleId }) => ruleId === null || layoutRules.test(ruleId));
}

const failures = [];
for (const [filePath, text, why] of refused) {
  if ((await findings(filePath, text)).length === 0) failures.push(`not refused: ${why}: ${filePath}: ${text}`);
}
for (const [filePath, text] of allowed) {
  const found = await findings(filePath, text);
  if (found.length > 0) failures.push(`refused: ${filePath}: ${text}: ${found[0].message}`);
}
for (const failure of failures) console.error(failure);
console.log(`${refused.length + allowed.length} planted lines, ${failures.length} of them judged wrongly`);
process.exit(failures.length === 0 ? 0 : 1);
