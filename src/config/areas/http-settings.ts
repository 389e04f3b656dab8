import { integer, text } from '../setting.js';

const MB = 1024 * 1024;

/** The HTTP server and the limits of what it takes. All lengths are code points unless a unit is given. */
export const httpSettings = {
  port: integer('PORT', 3000, { min: 0, max: 65_535, doc: 'Port of the HTTP API; 0 picks a free one.' }),
  host: text('HOST', '127.0.0.1', { doc: 'Address to listen on. Anything but loopback is open to the network.' }),
  uploadBytes: integer('UPLOAD_MAX_BYTES', 100 * MB, { min: 1, max: 2048 * MB, unit: 'bytes', doc: 'Largest upload.' }),
  jsonBytes: integer('JSON_MAX_BYTES', MB, { min: 1024, max: 64 * MB, unit: 'bytes', doc: 'Largest JSON body.' }),
  titleLength: integer('TITLE_MAX_LENGTH', 500, {
    min: 1,
    max: 5_000,
    unit: 'characters',
    doc: 'Longest title or name.',
  }),
  fileNameLength: integer('FILE_NAME_MAX_LENGTH', 255, {
    min: 1,
    max: 1_000,
    unit: 'characters',
    doc: 'Longest file name.',
  }),
  planSteps: integer('PLAN_MAX_STEPS', 20, { min: 2, max: 100, unit: 'steps', doc: 'Most steps in a plan.' }),
  documentIds: integer('DOCUMENT_IDS_MAX', 10_000, {
    min: 1,
    max: 100_000,
    unit: 'ids',
    doc: 'Longest list of document ids in one request.',
  }),
  queryLength: integer('QUERY_MAX_LENGTH', 2_000, {
    min: 1,
    max: 20_000,
    unit: 'characters',
    doc: 'Longest search query.',
  }),
  topK: integer('TOP_K_MAX', 100, { min: 1, max: 1_000, unit: 'hits', doc: 'Most hits of one search.' }),
  waitMs: integer('WAIT_MAX_MS', 30_000, {
    min: 0,
    max: 120_000,
    unit: 'ms',
    doc: 'Longest held answer of a long poll.',
  }),
  eventStreams: integer('EVENT_STREAMS_MAX', 500, {
    min: 1,
    max: 100_000,
    unit: 'streams',
    doc: 'Event streams that one process serves at once; more get 503.',
  }),
  requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 120_000, {
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    doc: 'How long a request may take to arrive.',
  }),
} as const;
