import { StartRefusal } from '../domain/start-refusal.js';
import { describeAddress, type DatabaseAddress } from './connection.js';

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
]);

/** SQLSTATE → what is wrong, where `it` is the database. */
const verdicts: Readonly<Record<string, (it: string) => string>> = {
  '28P01': (it) => `${it} refuses the user or the password of DATABASE_URL.`,
  '28000': (it) => `${it} refuses the user of DATABASE_URL.`,
  '3D000': (it) => `${it} does not exist: create it first.`,
  '42501': (it) =>
    `The user of DATABASE_URL may not create what the service needs in ${it}: grant it CREATE on the database and its schema, and have an administrator run CREATE EXTENSION vector.`,
  '53300': (it) => `${it} takes no more connections.`,
  '55P03': (it) => `The tables of ${it} are locked by another program: end it and start again.`,
  '57P03': (it) => `${it} is starting up or shutting down: try again in a moment.`,
  '25006': (it) => `${it} is read-only: DATABASE_URL must name the primary server.`,
};

/** Turns what stopped the first use of the database into one sentence; what nobody foresaw stays as it is. */
export function explainStartFailure(error: unknown, address: DatabaseAddress): unknown {
  if (error instanceof StartRefusal) return error;
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const it = describeAddress(address);
  const verdict = verdicts[code];
  if (verdict) return new StartRefusal(capitalised(verdict(it)), { cause: error });
  const silent = unreachable.has(code) || /timeout|terminated|does not support SSL/i.test(message);
  return silent ? new StartRefusal(`${capitalised(it)} does not answer.`, { cause: error }) : error;
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
