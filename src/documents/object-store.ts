import type { Readable } from 'node:stream';

export interface StoredObject {
  /** Made by the store's caller; never a person's file name. */
  readonly key: string;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string;
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
}
