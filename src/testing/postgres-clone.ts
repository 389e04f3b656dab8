import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import pg from 'pg';
import { livenessOf, ownIdentity } from '../adapters/pglite/process-identity.js';
import { postgresConnection } from '../database/connection.js';
import { migrate } from '../database/migrate.js';
import { silentLogger } from '../logging/logger.js';
import { migrationFingerprint } from './migration-fingerprint.js';
import type { TemporaryDatabase } from './test-database.js';

const defaultServer = 'postgres://root@127.0.0.1:5432/postgres';
const poolSize = 10;

/** Other machines may use the same server, and whether their processes live cannot be seen from here. */
const machine = createHash('sha256').update(`${hostname()} ${ownIdentity().space}`).digest('hex').slice(0, 6);
const clonePrefix = `iw_test_${machine}_`;
const templatePrefix = 'iw_template_';
const templateKeptMs = 24 * 3_600_000;
/** Serialises the making of templates and the sweep over leftovers on one server. */
const setupLock = 7_301_846_116;

let ready: Promise<string> | undefined;

/** A new database, cloned from the template of the present migrations; the template is made by whoever comes first. */
export async function openPostgresClone(): Promise<TemporaryDatabase> {
  ready ??= prepareServer();
  const template = await ready;
  const name = `${ownPrefix()}${randomBytes(4).toString('hex')}`;
  await asAdmin((admin) => admin.query(`create database ${name} template ${template}`));
  return {
    connection: postgresConnection(urlOf(name), poolSize),
    remove: async () => {
      await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function prepareServer(): Promise<string> {
  const template = `${templatePrefix}${migrationFingerprint()}`;
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [setupLock]);
    const names = await databaseNames(admin);
    if (!names.includes(template)) await makeTemplate(admin, template);
    await admin.query(`comment on database ${template} is '${new Date().toISOString()}'`);
    await dropLeftovers(admin, names);
    await dropOldTemplates(admin, template);
  });
  return template;
}

/** Appears under its name only when it is whole, so that a run killed here leaves nothing that looks usable. */
async function makeTemplate(admin: pg.Client, template: string): Promise<void> {
  const unfinished = `${ownPrefix()}template`;
  await admin.query(`drop database if exists ${unfinished} with (force)`);
  await admin.query(`create database ${unfinished}`);
  await migrate(postgresConnection(urlOf(unfinished), 1), silentLogger);
  await admin.query(`alter database ${unfinished} rename to ${template}`);
}

/** Names the process that a database belongs to. */
function ownPrefix(): string {
  const { pid, start } = ownIdentity();
  return `${clonePrefix}${pid}_${start ?? 'none'}_`;
}

async function dropLeftovers(admin: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => each.startsWith(clonePrefix))) {
    const [pid, start] = name.slice(clonePrefix.length).split('_');
    const owner = { ...ownIdentity(), pid: Number(pid), start: start === 'none' ? null : (start ?? null) };
    if (livenessOf(owner) === 'dead') await admin.query(`drop database if exists ${name} with (force)`);
  }
}

async function dropOldTemplates(admin: pg.Client, current: string): Promise<void> {
  const { rows } = await admin.query<{ name: string; used: string | null }>(
    `select datname as name, shobj_description(oid, 'pg_database') as used from pg_database where datname like $1`,
    [`${templatePrefix}%`],
  );
  for (const { name, used } of rows) {
    const age = Date.now() - Date.parse(used ?? '');
    if (name !== current && age > templateKeptMs) await admin.query(`drop database if exists ${name}`);
  }
}

async function databaseNames(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>('select datname as name from pg_database');
  return rows.map((row) => row.name);
}

/** Maintenance goes through a connection of its own: no database can be made inside a pool's transaction. */
async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: serverUrl().href, connectionTimeoutMillis: 10_000 });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function serverUrl(): URL {
  return new URL(process.env.TEST_DATABASE_URL || defaultServer);
}

function urlOf(name: string): string {
  const url = serverUrl();
  url.pathname = `/${name}`;
  return url.href;
}
