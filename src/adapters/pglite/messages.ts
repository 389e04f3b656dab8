import type { ProcessIdentity } from './process-identity.js';

/** What the service tells the process that holds the embedded database. */
export type ToDatabaseProcess =
  | {
      readonly type: 'open';
      /** The data folder; the database is made in it if it is not there. */
      readonly dataDir: string;
      /** Path of the unix socket to listen on. */
      readonly socket: string;
      /** The service itself. */
      readonly owner: ProcessIdentity;
      /** Silence of a client after which it is cut off, in ms. */
      readonly idleMs: number;
    }
  | { readonly type: 'ping' }
  | { readonly type: 'stop' };

/** `refused` holds a sentence for a person; `failed` is a bug. */
export type FromDatabaseProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly stack: string }
  | { readonly type: 'pong' };
