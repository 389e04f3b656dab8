import { StartRefusal } from '../domain/start-refusal.js';

/** How `pg` reaches a server: a URL, or the folder of a unix socket with the names to use on it. */
export type DatabaseAddress =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** A database to connect to, and what it can do. */
export interface DatabaseConnection {
  readonly kind: 'postgres' | 'pglite';
  readonly address: DatabaseAddress;
  /** Connections that one process may hold at once; the embedded database has a single session. */
  readonly poolSize: number;
  /** False where a session outlives its connection, so that names of prepared statements would be taken already. */
  readonly preparedStatements: boolean;
}

/** A PostgreSQL server by its URL. */
export function postgresConnection(url: string, poolSize: number): DatabaseConnection {
  return { kind: 'postgres', address: { connectionString: url }, poolSize, preparedStatements: true };
}

/** Where the database is, for people and logs: never the user or the password. */
export function describeAddress(address: DatabaseAddress): string {
  if (!('connectionString' in address)) return 'the embedded database';
  if (!URL.canParse(address.connectionString)) throw new StartRefusal('DATABASE_URL is not a URL.');
  const url = new URL(address.connectionString);
  const host = url.hostname || url.searchParams.get('host') || 'localhost';
  return `the database ${decodeURIComponent(url.pathname.slice(1)) || '(default)'} at ${host}:${url.port || '5432'}`;
}
