import type { LogFields, Logger } from '../logging/logger.js';

/** One line as it was logged. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps every line, for tests of what is logged. */
export function listeningLogger(lines: LogLine[], base: LogFields = {}): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields: { ...base, ...fields } });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => listeningLogger(lines, { ...base, ...fields }),
  };
}
