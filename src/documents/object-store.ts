import type { Readable } from 'node:stream';

/** Where sources lie: their keys are this folder and an id of their own. */
export const sourceFolder = 'sources';

export interface StoredObject {
  /** Made by the store's caller; never a person's file name. */
  readonly key: string;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** What a store says of an object without opening it. */
export interface KeptObject {
  readonly key: string;
  /** Since it was written. */
  readonly ageMs: number;
}

/** Keeps sources byte for byte. A key is written once and whole, or not at all. */
export interface ObjectStore {
  start(): Promise<void>;
  /** Streams; rejects and leaves nothing if the source fails or is larger than `maxBytes` (PAYLOAD_TOO_LARGE). */
  put(key: string, source: Readable, maxBytes: number): Promise<StoredObject>;
  /** Rejects with SOURCE_CHANGED if there is no such object, SOURCE_UNREADABLE if it cannot be read now. */
  get(key: string): Promise<Readable>;
  /** No error if it is gone already. */
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** All objects whose key begins with `folder/`, in no order, in portions of bounded size. */
  list(folder: string): AsyncIterable<readonly KeptObject[]>;
  /** Removes what uploads left that died half-way; gives how many. */
  sweep(): Promise<number>;
}
