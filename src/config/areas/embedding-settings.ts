import { integer, text } from '../setting.js';

/** The embedding model. */
export const embeddingSettings = {
  model: text('EMBEDDING_MODEL', 'all-MiniLM-L6-v2', {
    doc: 'A model that is bundled, or the path of a local model folder.',
  }),
  maxTokens: integer('EMBEDDING_MAX_TOKENS', 256, {
    min: 16,
    max: 8_192,
    unit: 'tokens',
    doc: 'Longest text the model is given, special tokens included.',
  }),
  queryPrefix: text('EMBEDDING_QUERY_PREFIX', '', { doc: 'Text put before a query, where the model asks for one.' }),
  passagePrefix: text('EMBEDDING_PASSAGE_PREFIX', '', {
    doc: 'Text put before a passage, where the model asks for one.',
  }),
  processes: integer('EMBEDDING_PROCESSES', 2, {
    min: 1,
    max: 64,
    doc: 'Child processes that compute vectors, one thread each; one per core is best.',
  }),
  textTimeoutMs: integer('EMBEDDING_TIMEOUT_MS', 30_000, {
    min: 100,
    max: 600_000,
    unit: 'ms',
    doc: 'Longest computation of one text.',
  }),
} as const;
