import { createLogger, format, transports, type Logger as WinstonLogger } from 'winston';
import { AppError } from '../domain/errors.js';

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured lines: a constant message, ids as fields, an error as the field `error`. No document text, no secrets. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Only for what somebody must act on now. */
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export type LogThreshold = 'error' | 'warn' | 'info' | 'debug';

/** Writes one JSON object a line to standard error, so that standard output stays for people. */
export function createJsonLogger(threshold: LogThreshold): Logger {
  return wrap(
    createLogger({
      level: threshold,
      format: format.combine(format.timestamp(), format.json()),
      transports: [new transports.Console({ stderrLevels: ['error', 'warn', 'info', 'debug'] })],
    }),
  );
}

/** Drops every line; for tests that look at effects. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};

function wrap(logger: WinstonLogger): Logger {
  return {
    debug: (message, fields) => void logger.debug(message, plain(fields)),
    info: (message, fields) => void logger.info(message, plain(fields)),
    warn: (message, fields) => void logger.warn(message, plain(fields)),
    error: (message, fields) => void logger.error(message, plain(fields)),
    child: (fields) => wrap(logger.child(plain(fields))),
  };
}

/** Errors have no enumerable fields: without this they would be written as `{}`. */
function plain(fields: LogFields = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? plainError(value, 4) : value]),
  );
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    message: error.message,
    ...(error instanceof AppError ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause instanceof Error && depth > 0 ? { cause: plainError(error.cause, depth - 1) } : {}),
  };
}
