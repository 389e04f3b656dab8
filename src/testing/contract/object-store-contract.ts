import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '../../documents/object-store.js';

/** A store that is started and empty, and a look behind its back. */
export interface ObjectStoreHarness {
  readonly store: ObjectStore;
  /** Everything that is kept, half-written things too. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

const limit = 1_000_000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What every object store guarantees. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStoreHarness>): void {
  describe(`${name} as an object store`, () => {
    let harness: ObjectStoreHarness;
    let store: ObjectStore;

    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(() => harness.close());

    it('gives back the bytes it took, and tells their number and hash', async () => {
      const bytes = randomBytes(300_000);
      const parts = [bytes.subarray(0, 7), bytes.subarray(7, 200_000), bytes.subarray(200_000)];
      const stored = await store.put('aa/some-object', Readable.from(parts), limit);
      expect(stored).toEqual({ key: 'aa/some-object', sizeBytes: 300_000, sha256: sha256(bytes) });
      expect(Buffer.compare(await buffer(await store.get('aa/some-object')), bytes)).toBe(0);
    });

    it('keeps an object without bytes', async () => {
      const stored = await store.put('empty', Readable.from([]), limit);
      expect(stored).toEqual({ key: 'empty', sizeBytes: 0, sha256: sha256(Buffer.of()) });
      expect((await buffer(await store.get('empty'))).length).toBe(0);
    });

    it('takes exactly the limit', async () => {
      const stored = await store.put('full', Readable.from([Buffer.alloc(10)]), 10);
      expect(stored.sizeBytes).toBe(10);
    });

    it('refuses one byte more than the limit while it arrives, and keeps nothing of it', async () => {
      let sent = 0;
      const long = Readable.from(
        (function* () {
          for (; sent < 1_000; sent += 1) yield Buffer.alloc(4);
        })(),
      );
      await expect(store.put('long', long, 10)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining('10'),
      });
      expect(sent).toBeLessThan(100);
      expect(await harness.names()).toEqual([]);
    });

    it('keeps nothing of a source that fails, and passes on why', async () => {
      const failing = Readable.from(
        (function* () {
          yield Buffer.from('first part');
          throw new Error('the connection broke');
        })(),
      );
      await expect(store.put('failing', failing, limit)).rejects.toThrow('the connection broke');
      expect(await harness.names()).toEqual([]);
    });

    it('keeps nothing of a source that is cut off without an error', async () => {
      const cut = new Readable({ read: () => undefined });
      cut.push(Buffer.from('first part'));
      const stored = store.put('cut', cut, limit);
      setImmediate(() => cut.destroy());
      await expect(stored).rejects.toThrow();
      expect(await harness.names()).toEqual([]);
    });

    it('does not write a key twice', async () => {
      await store.put('once', Readable.from([Buffer.from('first')]), limit);
      await expect(store.put('once', Readable.from([Buffer.from('second')]), limit)).rejects.toThrow('exists already');
      expect(String(await buffer(await store.get('once')))).toBe('first');
      expect(await harness.names()).toEqual(['once']);
    });

    it('keeps simultaneous objects apart', async () => {
      const keys = Array.from({ length: 20 }, (_, i) => `many/object-${i}`);
      await Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from(key)]), limit)));
      for (const key of keys) expect(String(await buffer(await store.get(key)))).toBe(key);
    });

    it('says that an object is gone', async () => {
      await expect(store.get('never/was')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    });

    it('deletes, and does not mind what is deleted already', async () => {
      await store.put('bb/short-lived', Readable.from([Buffer.from('x')]), limit);
      await store.delete('bb/short-lived');
      await store.delete('bb/short-lived');
      await store.delete('no/such-folder');
      await expect(store.get('bb/short-lived')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
      expect(await harness.names()).toEqual([]);
    });

    it.each(['../outside', 'a/../../b', '/etc/passwd', 'a//b', '.hidden', 'a/.b', 'a\\b', 'a\0b', '', 'x'.repeat(201)])(
      'refuses the key %j',
      async (key) => {
        await expect(store.put(key, Readable.from([Buffer.from('x')]), limit)).rejects.toThrow(RangeError);
        await expect(store.get(key)).rejects.toThrow(RangeError);
        await expect(store.delete(key)).rejects.toThrow(RangeError);
      },
    );
  });
}
