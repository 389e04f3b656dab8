// PostgreSQL with pgvector for the tests: one that runs already, or one of its own in a temporary folder.
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../run-command.mjs';
import { installPackages } from './debian.mjs';
import { freePorts } from './free-port.mjs';
import { ensurePgvector } from './pgvector.mjs';

const usualServer = 'postgres://root@127.0.0.1:5432/postgres';
const binaries = '/usr/lib/postgresql';

/**
 * @param {string | undefined} named URL of the server to use; must work if it is given
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} a server on which databases may be made
 */
export async function bringUpPostgres(named) {
  const url = named || usualServer;
  const server = await look(url).catch((error) => {
    if (named) throw new Error(`The PostgreSQL server that was named cannot be used: ${error.message}`);
    return undefined;
  });
  if (!server?.mayCreate) return startOwn();
  if (!server.vector) await ensurePgvector(server.major);
  return { url, stop: () => Promise.resolve() };
}

async function look(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int / 10000 as major, rolsuper as "mayCreate",
              exists (select from pg_available_extensions where name = 'vector') as vector
         from pg_roles where rolname = current_user`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

/**
 * A cluster of its own: private folder, free port, nothing synced to disk, gone when it is stopped.
 *
 * @returns {Promise<{ url: string, folder: string, stop(): Promise<void>, crash(): Promise<void>, start(): Promise<void> }>}
 *   `crash` ends it as a power cut would, `start` brings it back.
 */
export async function startOwn({ prepareFolder = async () => async () => {} } = {}) {
  if (newestMajor() === undefined) await installPackages(['postgresql'], 'the tests need a PostgreSQL server');
  const major = newestMajor();
  await ensurePgvector(major);
  const folder = await mkdtemp(path.join(tmpdir(), 'postgres-'));
  const undoFolder = await prepareFolder(folder);
  const [port] = await freePorts(1);
  const bin = path.join(binaries, String(major), 'bin');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const uid = Number(await runCommand('Looking up the user postgres', 'id', ['-u', 'postgres']));
    await chown(folder, uid, uid);
  }
  const asOwner = (title, program, args) => {
    const command = path.join(bin, program);
    // The server refuses to run as root.
    return isRoot
      ? runCommand(title, 'runuser', ['-u', 'postgres', '--', command, ...args], { cwd: folder })
      : runCommand(title, command, args, { cwd: folder });
  };
  const data = path.join(folder, 'data');
  await asOwner('Making a PostgreSQL cluster', 'initdb', [
    '-D',
    data,
    '-U',
    'root',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
  ]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200`;
  const log = path.join(folder, 'log');
  const start = () => asOwner('Starting PostgreSQL', 'pg_ctl', ['-D', data, '-w', '-l', log, '-o', options, 'start']);
  const crash = () => asOwner('Stopping PostgreSQL', 'pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
  await start();
  console.log(`PostgreSQL ${major} runs on port ${port}.`);
  const stop = async () => {
    await crash();
    await undoFolder();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `postgres://root@127.0.0.1:${port}/postgres`, folder, stop, crash, start };
}

function newestMajor() {
  if (!existsSync(binaries)) return undefined;
  const majors = readdirSync(binaries).map(Number).filter(Number.isInteger);
  return majors.length > 0 ? Math.max(...majors) : undefined;
}
