import { choice, choices, hostList, integer, optionalText, optionalUrl, text } from './setting.js';

const MB = 1024 * 1024;

export const roleNames = ['api', 'worker', 'relay', 'upkeep'] as const;
export type Role = (typeof roleNames)[number];

/** Which parts run in this process, and where it keeps its files. */
export const processSettings = {
  roles: choices('ROLES', roleNames, { doc: 'Parts that this process runs.' }),
  dataDir: text('DATA_DIR', '.data', { doc: 'Folder for uploaded files and the embedded database.' }),
  logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'info', { doc: 'Least severe log line to write.' }),
  stopGraceMs: integer('STOP_GRACE_MS', 5_000, {
    min: 500,
    max: 600_000,
    unit: 'ms',
    doc: 'How long SIGTERM waits for work in hand before it is released.',
  }),
} as const;

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

/** The database. Without a URL the embedded one in the data folder is used. */
export const databaseSettings = {
  url: optionalUrl('DATABASE_URL', ['postgres', 'postgresql'], {
    doc: 'PostgreSQL 15 or later with pgvector; unset uses the embedded database.',
    secret: true,
  }),
  poolSize: integer('DATABASE_POOL_SIZE', 10, {
    min: 2,
    max: 200,
    unit: 'connections',
    doc: 'Connections per process (PostgreSQL only).',
  }),
  connectTimeoutMs: integer('DATABASE_CONNECT_TIMEOUT_MS', 5_000, {
    min: 100,
    max: 120_000,
    unit: 'ms',
    doc: 'How long to wait for a free connection.',
  }),
  statementTimeoutMs: integer('DATABASE_STATEMENT_TIMEOUT_MS', 30_000, {
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Longest statement.',
  }),
} as const;

export const brokerNames = ['postgres', 'kafka'] as const;
export type BrokerName = (typeof brokerNames)[number];

/** The message broker. */
export const brokerSettings = {
  broker: choice('BROKER', brokerNames, 'postgres', {
    doc: 'Which broker carries the messages; postgres uses the database itself.',
  }),
  prefix: text('TOPIC_PREFIX', 'indexwright', {
    doc: 'First part of every topic and group name; one per environment.',
  }),
  kafkaBrokers: hostList('KAFKA_BROKERS', '127.0.0.1:9092', { doc: 'Kafka bootstrap servers.' }),
  partitions: integer('TOPIC_PARTITIONS', 3, {
    min: 1,
    max: 1_000,
    doc: 'Partitions of a topic that the init command creates.',
  }),
  replication: integer('TOPIC_REPLICATION', 1, {
    min: 1,
    max: 10,
    doc: 'Replicas of a topic that the init command creates.',
  }),
  sendDeadlineMs: integer('SEND_DEADLINE_MS', 3_000, {
    min: 200,
    max: 30_000,
    unit: 'ms',
    doc: 'How long a build waits for the broker before it is refused.',
  }),
  sendsWaiting: integer('SENDS_WAITING_MAX', 8, {
    min: 1,
    max: 500,
    doc: 'Builds that may wait for the broker at once; more get 503. Keep it under the pool size.',
  }),
} as const;

/** A Redis that makes some things faster; nothing depends on it. */
export const redisSettings = {
  url: optionalUrl('REDIS_URL', ['redis', 'rediss'], {
    doc: 'Redis 6.2 or later. Faster with it, correct without it; unset does without.',
    secret: true,
  }),
  prefix: text('REDIS_PREFIX', 'indexwright', {
    doc: 'First part of every key and channel in Redis; one per environment.',
  }),
} as const;

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

/** Reading sources. */
export const parseSettings = {
  timeoutMs: integer('PARSE_TIMEOUT_MS', 120_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Longest reading of one source.',
  }),
  memoryMb: integer('PARSE_MEMORY_MB', 1_024, {
    min: 64,
    max: 65_536,
    unit: 'MB',
    doc: 'Memory of the process that reads a source.',
  }),
  textChars: integer('PARSE_MAX_CHARS', 60_000_000, {
    min: 1_000,
    max: 500_000_000,
    unit: 'characters',
    doc: 'Longest parsed text.',
  }),
} as const;

/** Cutting. Limits are hard; a plan may only ask for less. */
export const chunkingSettings = {
  parentTokens: integer('PARENT_MAX_TOKENS', 4_096, {
    min: 64,
    max: 100_000,
    unit: 'tokens',
    doc: 'Most tokens of a parent chunk.',
  }),
  parentChars: integer('PARENT_MAX_CHARS', 16_000, {
    min: 200,
    max: 1_000_000,
    unit: 'characters',
    doc: 'Most code points of a parent chunk.',
  }),
  childChars: integer('CHILD_MAX_CHARS', 2_000, {
    min: 50,
    max: 100_000,
    unit: 'characters',
    doc: 'Most code points of a child chunk.',
  }),
} as const;

/** Workers, leases and retries. */
export const workerSettings = {
  indexSlots: integer('INDEX_SLOTS', 2, { min: 1, max: 64, doc: 'Builds that one worker process runs at once.' }),
  parseSlots: integer('PARSE_SLOTS', 2, { min: 1, max: 64, doc: 'Parses that one worker process runs at once.' }),
  leaseMs: integer('LEASE_MS', 10_000, {
    min: 1_000,
    max: 600_000,
    unit: 'ms',
    doc: 'How long a silent worker keeps its task.',
  }),
  findEveryMs: integer('FIND_INTERVAL_MS', 1_000, {
    min: 100,
    max: 60_000,
    unit: 'ms',
    doc: 'Pause between two looks of a worker with free slots for tasks that no message led to.',
  }),
  findAfterMs: integer('FIND_AFTER_MS', 3_000, {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    doc: 'When a worker takes a task that was sent and not claimed without its message.',
  }),
  stalledAfterMs: integer('STALLED_AFTER_MS', 300_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'When a running task that gets no further is told as STALLED.',
  }),
  maxRetryCount: integer('MAX_RETRY_COUNT', 3, { min: 0, max: 100, doc: 'Automatic retries of a task.' }),
  retryDelayMs: integer('RETRY_DELAY_MS', 2_000, {
    min: 10,
    max: 3_600_000,
    unit: 'ms',
    doc: 'Delay before the first retry; it doubles each time.',
  }),
  retryDelayMaxMs: integer('RETRY_DELAY_MAX_MS', 300_000, {
    min: 10,
    max: 86_400_000,
    unit: 'ms',
    doc: 'Longest delay before a retry.',
  }),
  embedBatch: integer('EMBED_BATCH', 32, {
    min: 1,
    max: 1_000,
    unit: 'chunks',
    doc: 'Chunks embedded and stored in one step; what a crash can cost.',
  }),
} as const;

/** How long tasks may take. What is over its limit ends as TIMEOUT. */
export const limitSettings = {
  stageMs: integer('STAGE_LIMIT_MS', 300_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'How long any stage may take; more is added by size.',
  }),
  parseMsPerMillion: integer('PARSE_LIMIT_MS', 60_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million bytes',
    doc: 'Added while a source is read, beside twice PARSE_TIMEOUT_MS.',
  }),
  cutMsPerMillion: integer('CUT_LIMIT_MS', 60_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million characters',
    doc: 'Added while a plan is recommended, a text is cut, or an index is verified.',
  }),
  embedMsPerMillion: integer('EMBED_LIMIT_MS', 3_600_000, {
    min: 0,
    max: 86_400_000,
    unit: 'ms per million characters',
    doc: 'Added while chunks are embedded.',
  }),
  attemptMs: integer('ATTEMPT_LIMIT_MS', 86_400_000, {
    min: 1_000,
    max: 604_800_000,
    unit: 'ms',
    doc: 'How long one attempt at a task may take, all stages together.',
  }),
} as const;

/** The timed passes. */
export const upkeepSettings = {
  resendAfterMs: integer('RESEND_AFTER_MS', 15_000, {
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    doc: 'When a task that nobody claimed is sent again.',
  }),
  intervalMs: integer('UPKEEP_INTERVAL_MS', 2_000, {
    min: 100,
    max: 600_000,
    unit: 'ms',
    doc: 'Pause between two rounds of upkeep.',
  }),
  batchAhead: integer('BATCH_AHEAD', 500, {
    min: 1,
    max: 10_000,
    unit: 'tasks',
    doc: 'Live tasks of a batch at most; its other documents stay free for builds of their own.',
  }),
  relayIntervalMs: integer('RELAY_INTERVAL_MS', 500, {
    min: 50,
    max: 60_000,
    unit: 'ms',
    doc: 'Pause between two looks at an empty outbox.',
  }),
  tidyIntervalMs: integer('TIDY_INTERVAL_MS', 60_000, {
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    doc: 'Pause between two runs of the passes that remove what is old or left over.',
  }),
  reconcileIntervalMs: integer('RECONCILE_INTERVAL_MS', 900_000, {
    min: 10_000,
    max: 604_800_000,
    unit: 'ms',
    doc: 'Pause between two comparisons of everything that is stored; what disagrees is mended.',
  }),
  fileSafeAgeMs: integer('FILE_SAFE_AGE_MS', 86_400_000, {
    min: 600_000,
    max: 2_592_000_000,
    unit: 'ms',
    doc: 'Age from which a file that no document names is removed.',
  }),
} as const;

/** How long what is needed no more is kept. */
export const retentionSettings = {
  taskLogDays: keepDays('TASK_LOG_KEEP_DAYS', 90, 'the log of a task that is over'),
  taskDays: keepDays('TASK_KEEP_DAYS', 365, 'a task that is over and not the newest of its document'),
  outboxDays: keepDays('OUTBOX_KEEP_DAYS', 1, 'a message that was sent'),
  textDays: keepDays('TEXT_KEEP_DAYS', 30, 'a parsed text that no version, plan or document names'),
} as const;

function keepDays(env: string, byDefault: number, what: string): ReturnType<typeof integer> {
  return integer(env, byDefault, {
    min: 0,
    max: 36_500,
    unit: 'days',
    doc: `Days after which ${what} is removed; 0 keeps it.`,
  });
}

/** Unset names a bundled folder; see README. */
export const toolSettings = {
  modelsDir: optionalText('MODELS_DIR', {
    doc: 'Folder that holds bundled models; unset uses the one beside the program.',
  }),
} as const;

/** Every area, in the order of the documentation. */
export const areas = {
  process: processSettings,
  http: httpSettings,
  database: databaseSettings,
  broker: brokerSettings,
  redis: redisSettings,
  embedding: embeddingSettings,
  parse: parseSettings,
  chunking: chunkingSettings,
  worker: workerSettings,
  limits: limitSettings,
  upkeep: upkeepSettings,
  retention: retentionSettings,
  tools: toolSettings,
} as const;
