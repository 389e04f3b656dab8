import type { LocalText } from './coded-value.js';

/**
 * Whose fault an error is. `request`: the caller's words. `state`: the caller's words do not fit what is there.
 * `document`: the source itself. `dependency`: a part the service needs. `load`: more than it takes at once.
 * `bug`: ours.
 */
export type ErrorKind = 'request' | 'state' | 'document' | 'dependency' | 'load' | 'bug';

interface ErrorEntry {
  readonly kind: ErrorKind;
  /** True where doing the same again, later, can succeed. */
  readonly retryable: boolean;
  readonly title: string;
  /** What a person can do about it; present where a task or document can end with it. */
  readonly nextStep?: LocalText;
}

const request = (title: string): ErrorEntry => ({ kind: 'request', retryable: false, title });
const state = (title: string): ErrorEntry => ({ kind: 'state', retryable: false, title });
const source = (title: string, en: string, zh: string): ErrorEntry => ({
  kind: 'document',
  retryable: false,
  title,
  nextStep: { en, zh },
});
const dependency = (title: string, en: string, zh: string): ErrorEntry => ({
  kind: 'dependency',
  retryable: true,
  title,
  nextStep: { en, zh },
});

/** Every code the service answers or stores. Codes are public and stable. */
export const errorTable = {
  INVALID_REQUEST: request('The request is not valid'),
  MALFORMED_JSON: request('The body is not JSON'),
  UNSUPPORTED_MEDIA_TYPE: request('The media type is not supported'),
  PAYLOAD_TOO_LARGE: request('The body is too large'),
  NOT_FOUND: request('There is nothing at this path'),
  METHOD_NOT_ALLOWED: request('The method is not allowed here'),
  REQUEST_TIMEOUT: request('The request did not arrive in time'),
  HEADERS_TOO_LARGE: request('The headers are too large'),
  KNOWLEDGE_BASE_NOT_FOUND: request('There is no such knowledge base'),
  DOCUMENT_NOT_FOUND: request('There is no such document'),
  PLAN_NOT_FOUND: request('There is no such plan'),
  TASK_NOT_FOUND: request('There is no such task'),
  CHUNK_NOT_FOUND: request('There is no such chunk'),
  BATCH_NOT_FOUND: request('There is no such batch'),
  DEAD_LETTER_NOT_FOUND: request('There is no such dead letter'),
  PASS_NOT_FOUND: request('There is no such pass of upkeep'),

  NAME_TAKEN: state('The name is taken'),
  DEFAULT_KNOWLEDGE_BASE: state('The default knowledge base stays'),
  MODEL_NOT_AVAILABLE: state('The embedding model is not available'),
  DOCUMENT_NOT_READY: state('The document is not parsed and confirmed'),
  PLAN_STALE: state('The plan is not the current one'),
  PLAN_INVALID: state('The plan cannot be executed'),
  BUILD_IN_PROGRESS: state('An index task of the document is live'),
  TASK_IN_PROGRESS: state('A task of the document is live'),
  TASK_FINISHED: state('The task is over'),
  TASK_NOT_RETRYABLE: state('The task cannot be retried'),
  TASK_SUPERSEDED: state('Something newer has taken the place of the task'),
  BATCH_FINISHED: state('The batch is over'),
  NOTHING_TO_RETRY: state('Nothing in the batch has failed'),
  DEAD_LETTER_SETTLED: state('The dead letter was settled the other way'),
  DEAD_LETTER_NOT_REPLAYABLE: state('The message cannot be published again'),
  TEXT_NOT_AVAILABLE: state('The document has no parsed text'),
  IDEMPOTENCY_KEY_REUSED: state('The idempotency key belongs to another request'),
  IDEMPOTENCY_IN_PROGRESS: state('The first request with this key is still running'),

  UNSUPPORTED_TYPE: source(
    'The file type is not supported',
    'Convert the file to Markdown or plain text and upload it again.',
    '请将文件转换为 Markdown 或纯文本后重新上传。',
  ),
  ENCRYPTED: source(
    'The file is encrypted',
    'Remove the password and upload the file again.',
    '请移除密码后重新上传。',
  ),
  NO_TEXT: source(
    'The file holds no text',
    'Run text recognition over it, or upload a version that has a text layer.',
    '请先进行文字识别，或上传带文本层的版本。',
  ),
  EMPTY: source('The file is empty', 'Upload a file that has content.', '请上传有内容的文件。'),
  CORRUPT: source(
    'The file is damaged',
    'Open it in the program that made it, save it again, and upload the copy.',
    '请用原程序打开并另存后重新上传。',
  ),
  TOO_LARGE: source('The text is too large', 'Split the file and upload the parts.', '请拆分文件后分别上传。'),
  PARSER_TIMEOUT: source(
    'Reading the file took too long',
    'Split the file, or raise PARSE_TIMEOUT_MS, and parse it again.',
    '请拆分文件，或调大 PARSE_TIMEOUT_MS 后重新解析。',
  ),
  PARSER_MEMORY: source(
    'Reading the file took too much memory',
    'Split the file, or raise PARSE_MEMORY_MB, and parse it again.',
    '请拆分文件，或调大 PARSE_MEMORY_MB 后重新解析。',
  ),
  CANCELLED: source('It was cancelled', 'Start it again when you want it.', '需要时可重新发起。'),
  CHUNK_LIMIT: source(
    'A piece of the text cannot be cut to the limit',
    'Edit the plan: raise the limits or choose another strategy.',
    '请编辑方案：提高上限或更换策略。',
  ),
  COVERAGE_INCOMPLETE: source(
    'The plan would lose text',
    'Edit the plan, look at its preview, and report the document to the maintainers.',
    '请编辑方案并查看预览，同时向维护者反馈该文档。',
  ),
  SPEC_NOT_EXECUTABLE: source(
    'What was confirmed cannot be built here any more',
    'Have a new plan recommended, confirm it, and build again.',
    '请重新推荐并确认方案后再构建。',
  ),

  SOURCE_UNREADABLE: dependency(
    'The stored file cannot be read',
    'Check the object store; the task runs again by itself.',
    '请检查对象存储；任务会自动重试。',
  ),
  STORAGE_UNAVAILABLE: dependency(
    'The file cannot be stored',
    'Check the free space and the permissions of the object store, then upload the file again.',
    '请检查对象存储的剩余空间与权限后重新上传。',
  ),
  SOURCE_CHANGED: {
    kind: 'dependency',
    retryable: false,
    title: 'The stored file is missing or not what was uploaded',
    nextStep: { en: 'Upload the file again.', zh: '请重新上传文件。' },
  },
  EMBEDDING_FAILED: dependency(
    'The embedding model did not answer',
    'Check the embedding model; the task runs again by itself and resumes where it stopped.',
    '请检查向量模型；任务会自动从中断处重试。',
  ),
  EMBEDDING_PROCESS_LOST: dependency(
    'The embedding process was lost',
    'The task goes on by itself with smaller batches; if it ends all the same, give the machine more memory and retry it.',
    '任务会自动以更小的批次继续；若仍然失败，请增加内存后重试任务。',
  ),
  EMBEDDING_INVALID: {
    kind: 'dependency',
    retryable: false,
    title: 'The embedding model gave vectors that cannot be stored',
    nextStep: { en: 'Check the embedding model and its dimension, then retry.', zh: '请检查向量模型及其维度后重试。' },
  },
  INDEX_INCOMPLETE: {
    kind: 'bug',
    retryable: false,
    title: 'The written index is not complete',
    nextStep: { en: 'Build again; report it if it happens twice.', zh: '请重新构建；若再次出现请反馈。' },
  },
  WORKER_LOST: dependency(
    'The worker was lost',
    'Retry the task; if it happens again, check the memory of the worker.',
    '请重试任务；若再次出现请检查工作进程内存。',
  ),
  TIME_LIMIT: dependency(
    'It took longer than its limit',
    'Retry the task when the machine is less busy; if it happens again, raise the limit of the stage or split the document.',
    '请在机器空闲时重试任务；若再次出现，请调大该阶段的时限或拆分文档。',
  ),
  TASK_MISSING: {
    kind: 'bug',
    retryable: false,
    title: 'The work on the document came to no recorded end',
    nextStep: { en: 'Parse the document again, or build it again.', zh: '请重新解析或重新构建该文档。' },
  },
  DATABASE_UNAVAILABLE: dependency(
    'The database does not answer',
    'Check the database; the task runs again by itself.',
    '请检查数据库；任务会自动重试。',
  ),
  BROKER_UNAVAILABLE: dependency('The message broker does not answer', 'Try again in a few seconds.', '请稍后重试。'),
  TOO_BUSY: { kind: 'load', retryable: true, title: 'The service is busy' },
  INTERNAL_ERROR: {
    kind: 'bug',
    retryable: false,
    title: 'Something went wrong inside the service',
    nextStep: {
      en: 'Retry once; if it happens again, report it with the request or task id.',
      zh: '请重试一次；若再次出现，请附请求或任务编号反馈。',
    },
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** An error that the service foresees. Whatever is not one of these is a bug. */
export class AppError extends Error {
  override readonly name: string = 'AppError';

  /**
   * @param message one or two sentences for the person who meets it: no stack, no SQL, no path.
   * @param details public members of the answer beside code and message, for example `currentPlanId`.
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get kind(): ErrorKind {
    return errorTable[this.code].kind;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }
}

/** One thing that is wrong with a plan. */
export interface PlanProblem {
  /** Where, for example `steps[1].params.maxTokens`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What a task or document keeps of the error that ended it. */
export interface FailureRecord {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The sentence that tells a person what to do about a code. */
export function nextStepOf(code: ErrorCode): LocalText {
  const entry: ErrorEntry = errorTable[code];
  return entry.nextStep ?? errorTable.INTERNAL_ERROR.nextStep;
}

/** The public face of any thrown value: an AppError's own, or INTERNAL_ERROR for a bug. */
export function failureOf(error: unknown): FailureRecord {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL_ERROR', message: errorTable.INTERNAL_ERROR.title + '.' };
}
