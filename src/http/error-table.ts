import type { ErrorCode } from '../domain/errors.js';

/** Seconds after which a refused client may try again, where waiting helps. */
const soon = 1;
const later = 5;

export interface ErrorStatus {
  readonly status: number;
  /** Value of Retry-After, in seconds; always there for a 503. */
  readonly retryAfter?: number;
}

/**
 * HTTP status of every error code. Codes that a task or document ends with are here too: what a preview meets, it
 * answers as 422.
 */
export const errorStatuses: Readonly<Record<ErrorCode, ErrorStatus>> = {
  INVALID_REQUEST: { status: 400 },
  MALFORMED_JSON: { status: 400 },
  NOT_FOUND: { status: 404 },
  KNOWLEDGE_BASE_NOT_FOUND: { status: 404 },
  DOCUMENT_NOT_FOUND: { status: 404 },
  PLAN_NOT_FOUND: { status: 404 },
  TASK_NOT_FOUND: { status: 404 },
  CHUNK_NOT_FOUND: { status: 404 },
  BATCH_NOT_FOUND: { status: 404 },
  DEAD_LETTER_NOT_FOUND: { status: 404 },
  PASS_NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  REQUEST_TIMEOUT: { status: 408 },
  PAYLOAD_TOO_LARGE: { status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  HEADERS_TOO_LARGE: { status: 431 },

  NAME_TAKEN: { status: 409 },
  DEFAULT_KNOWLEDGE_BASE: { status: 409 },
  DOCUMENT_NOT_READY: { status: 409 },
  PLAN_STALE: { status: 409 },
  BUILD_IN_PROGRESS: { status: 409 },
  TASK_IN_PROGRESS: { status: 409 },
  TASK_FINISHED: { status: 409 },
  TASK_NOT_RETRYABLE: { status: 409 },
  TASK_SUPERSEDED: { status: 409 },
  BATCH_FINISHED: { status: 409 },
  NOTHING_TO_RETRY: { status: 409 },
  DEAD_LETTER_SETTLED: { status: 409 },
  DEAD_LETTER_NOT_REPLAYABLE: { status: 409 },
  TEXT_NOT_AVAILABLE: { status: 409 },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, retryAfter: soon },
  IDEMPOTENCY_KEY_REUSED: { status: 422 },
  MODEL_NOT_AVAILABLE: { status: 422 },
  PLAN_INVALID: { status: 422 },

  UNSUPPORTED_TYPE: { status: 422 },
  ENCRYPTED: { status: 422 },
  NO_TEXT: { status: 422 },
  EMPTY: { status: 422 },
  CORRUPT: { status: 422 },
  TOO_LARGE: { status: 422 },
  PARSER_TIMEOUT: { status: 422 },
  PARSER_MEMORY: { status: 422 },
  CANCELLED: { status: 422 },
  CHUNK_LIMIT: { status: 422 },
  COVERAGE_INCOMPLETE: { status: 422 },
  SPEC_NOT_EXECUTABLE: { status: 422 },

  SOURCE_UNREADABLE: { status: 503, retryAfter: later },
  STORAGE_UNAVAILABLE: { status: 503, retryAfter: later },
  EMBEDDING_FAILED: { status: 503, retryAfter: later },
  EMBEDDING_PROCESS_LOST: { status: 503, retryAfter: later },
  WORKER_LOST: { status: 503, retryAfter: later },
  TIME_LIMIT: { status: 503, retryAfter: later },
  DATABASE_UNAVAILABLE: { status: 503, retryAfter: later },
  BROKER_UNAVAILABLE: { status: 503, retryAfter: later },
  TOO_BUSY: { status: 503, retryAfter: soon },

  SOURCE_CHANGED: { status: 500 },
  EMBEDDING_INVALID: { status: 500 },
  INDEX_INCOMPLETE: { status: 500 },
  TASK_MISSING: { status: 500 },
  INTERNAL_ERROR: { status: 500 },
};
