import { describe, type CodeTable, type Language } from '../domain/coded-value.js';
import { indexStatusTable } from '../domain/document/index-status.js';
import { parseStatusTable } from '../domain/document/parse-status.js';
import { strategyStatusTable } from '../domain/document/strategy-status.js';
import { errorTable, type AppError } from '../domain/errors.js';
import { planStatusTable } from '../domain/plan/plan-status.js';
import { taskStatusTable } from '../domain/task/task-status.js';
import { taskTypeTable } from '../domain/task/task-type.js';
import { errorStatuses } from './error-table.js';

export const problemMediaType = 'application/problem+json';

/** An error as the API answers it (RFC 9457), with what the error itself adds, for example `currentPlanId`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

/** Details that are codes inside the service and code, name and description outside. */
const codedMembers: Readonly<Record<string, CodeTable<number>>> = {
  parseStatus: parseStatusTable,
  strategyStatus: strategyStatusTable,
  indexStatus: indexStatusTable,
  planStatus: planStatusTable,
  taskStatus: taskStatusTable,
  taskType: taskTypeTable,
};

/** Gives an error its public form. */
export function problemOf(error: AppError, requestId: string, language: Language): Problem {
  return {
    ...(error.code === 'INVALID_REQUEST' ? { fields: [{ path: '', message: error.message }] } : {}),
    ...Object.fromEntries(Object.entries(error.details).map(([name, value]) => [name, shown(name, value, language)])),
    type: `urn:indexwright:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: errorTable[error.code].title,
    status: errorStatuses[error.code].status,
    code: error.code,
    detail: error.message,
    requestId,
  };
}

function shown(name: string, value: unknown, language: Language): unknown {
  const table = codedMembers[name];
  return table && typeof value === 'number' ? describe(table, value, language) : value;
}
