import { choice, choices, integer, text } from '../setting.js';

export const roleNames = ['api', 'worker', 'relay', 'upkeep'] as const;
export type Role = (typeof roleNames)[number];

/** Which parts run in this process, and where it keeps its files. */
export const processSettings = {
  roles: choices('ROLES', roleNames, roleNames, { doc: 'Parts that this process runs.' }),
  dataDir: text('DATA_DIR', '.data', { doc: 'Folder for uploaded files and the embedded database.' }),
  logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'info', { doc: 'Least severe log line to write.' }),
  observePort: integer('OBSERVE_PORT', 0, {
    min: 0,
    max: 65_535,
    doc: 'Port for /health and /metrics of a process without the API, on the same HOST; 0 serves none.',
  }),
  stopGraceMs: integer('STOP_GRACE_MS', 5_000, {
    min: 500,
    max: 600_000,
    unit: 'ms',
    doc: 'How long SIGTERM waits for work in hand before it is released.',
  }),
} as const;
