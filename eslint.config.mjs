import boundaries from 'eslint-plugin-boundaries';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Folder of `src` → folders that it may import. `domain` imports nothing; only app.ts and main.ts join everything. */
const may = {
  domain: ['domain'],
  config: ['config', 'domain'],
  tracing: ['tracing', 'domain'],
  logging: ['logging', 'config', 'domain'],
  processes: ['processes', 'domain', 'logging'],
  database: ['database', 'domain', 'config', 'logging'],
  messaging: ['messaging', 'domain', 'config', 'database', 'logging', 'tracing'],
  embedding: ['embedding', 'domain', 'config'],
  chunking: ['chunking', 'domain', 'config', 'logging', 'processes'],
  documents: ['documents', 'domain', 'config', 'database', 'logging', 'messaging', 'processes', 'tracing'],
  'knowledge-bases': ['knowledge-bases', 'domain', 'config', 'database', 'embedding'],
  plans: ['plans', 'domain', 'config', 'database', 'logging', 'chunking', 'documents', 'embedding'],
  search: ['search', 'domain', 'config', 'database', 'embedding', 'chunking'],
  'vector-index': ['vector-index', 'domain', 'config', 'database', 'search'],
  builds: [
    'builds',
    'domain',
    'config',
    'database',
    'logging',
    'messaging',
    'tracing',
    'chunking',
    'plans',
    'embedding',
    'search',
  ],
  progress: ['progress', 'domain', 'config', 'database', 'logging', 'messaging'],
  worker: [
    'worker',
    'domain',
    'config',
    'database',
    'logging',
    'messaging',
    'tracing',
    'chunking',
    'documents',
    'embedding',
    'plans',
    'progress',
    'search',
    'vector-index',
  ],
  upkeep: [
    'upkeep',
    'domain',
    'config',
    'database',
    'logging',
    'messaging',
    'documents',
    'builds',
    'vector-index',
    'tracing',
  ],
  metrics: ['metrics', 'domain', 'config', 'logging', 'messaging', 'progress', 'worker'],
  http: [
    'http',
    'domain',
    'config',
    'logging',
    'tracing',
    'database',
    'builds',
    'documents',
    'knowledge-bases',
    'plans',
    'progress',
    'search',
    'upkeep',
    'chunking',
    'embedding',
    'messaging',
  ],
  adapters: [
    'adapters',
    'domain',
    'config',
    'database',
    'logging',
    'messaging',
    'embedding',
    'documents',
    'processes',
    'progress',
    'search',
    'worker',
  ],
  testing: ['*'],
};

const adapter = (technology) => ({ type: 'adapters', captured: { technology } });

/** Package → the one place that may import it. */
const only = {
  typeorm: { type: 'database' },
  pg: { type: 'database' },
  express: { type: 'http' },
  multer: { type: 'http' },
  helmet: { type: 'http' },
  'swagger-ui-express': { type: 'http' },
  'class-validator': { type: 'http' },
  'class-transformer': { type: 'http' },
  'class-validator-jsonschema': { type: 'http' },
  zod: { type: 'config' },
  winston: { type: 'logging' },
  'prom-client': { type: 'metrics' },
  chardet: { type: 'documents' },
  'iconv-lite': { type: 'documents' },
  'mdast-util-from-markdown': { type: 'documents' },
  'csv-parse': { type: 'documents' },
  htmlparser2: { type: 'documents' },
  numfmt: { type: 'documents' },
  'pdfjs-dist': { type: 'documents' },
  'postal-mime': { type: 'documents' },
  saxes: { type: 'documents' },
  yauzl: { type: 'documents' },
  kafkajs: adapter('kafka'),
  amqplib: adapter('rabbitmq'),
  ioredis: adapter('redis'),
  'pg-boss': adapter('postgres-queue'),
  '@xenova/transformers': adapter('transformers'),
  '@electric-sql/pglite': adapter('pglite'),
  '@electric-sql/pglite-pgvector': adapter('pglite'),
  '@node-rs/jieba': adapter('jieba'),
};

const packages = { module: { origin: ['external', 'core'] } };
const root = { file: { categories: 'root' } };

// The last policy that matches decides.
const policies = [
  ...Object.entries(may).map(([type, to]) => ({
    from: { element: { type } },
    allow: { to: { element: { types: { anyOf: ['-', ...to] } } } },
  })),
  ...[{ element: { type: '!domain' } }, root].map((from) => ({ from, allow: { to: packages } })),
  ...Object.keys(only).map((source) => ({ disallow: { to: { module: { source } } } })),
  ...Object.entries(only).map(([source, element]) => ({
    from: { element },
    allow: { to: { module: { source } } },
  })),
  ...[{ element: { type: '!testing' } }, root].map((to) => ({ from: root, allow: { to } })),
  { from: { element: { type: 'testing' } }, allow: { to: [{ element: { type: '!nothing' } }, root, packages] } },
  { from: { file: { categories: 'test' } }, allow: { to: [{ element: { type: 'testing' } }, packages] } },
  // What is kept to one folder stays there in tests, too.
  ...Object.entries(only).map(([source, element]) => ({
    from: { file: { categories: 'test' }, element: { type: `!${element.type}` } },
    disallow: { to: { module: { source } } },
  })),
];

export default defineConfig(
  { ignores: ['dist/', '.cache/', 'node_modules/', '.data/', 'coverage/', 'src/console/'] },
  { files: ['src/**/*.ts', 'migrations/**/*.ts'], extends: [tseslint.configs.recommendedTypeChecked] },
  {
    files: ['src/**/*.ts', 'migrations/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only the entry points hand the environment to config/.' },
      ],
      'max-lines': ['warn', { max: 300, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ['src/main.ts', 'src/topics.ts', 'src/testing/**/*.ts', 'src/**/*.test.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: { project: 'tsconfig.json' } },
      'boundaries/files': [
        { category: 'test', pattern: '**/*.test.ts' },
        { category: 'root', pattern: ['src/{app,main,topics}.ts', 'src/composition/*.ts'] },
      ],
      'boundaries/elements': [
        { type: 'adapters', pattern: 'src/adapters/*', capture: ['technology'] },
        ...Object.keys(may)
          .filter((type) => type !== 'adapters')
          .map((type) => ({ type, pattern: `src/${type}` })),
      ],
    },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/dependencies': ['error', { default: 'disallow', checkAllOrigins: true, policies }],
    },
  },
  prettier,
);
