import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deliver } from '../../../messaging/broker/laned-consumer.js';
import { PartitionReader, type ReaderTerms } from './partition-reader.js';
import type { StreamRecord } from './stream-record.js';
import type { ReadEntry } from './stream-scripts.js';

const entry = (id: string): ReadEntry => ({ id, fields: [], timesInHand: 0 });

/** A reader of a stream with these entries, which nobody was given yet. */
function readerOf(ids: readonly string[], deliver: Deliver<StreamRecord>, terms: Partial<ReaderTerms> = {}) {
  const acknowledged: string[] = [];
  const rest = [...ids];
  const reader = new PartitionReader({
    stream: 'test-document-parse:0',
    lastGiven: '0-0',
    scripts: {
      replay: () => Promise.resolve([]),
      read: (_, count) => Promise.resolve(rest.splice(0, count).map(entry)),
      noteInHand: () => Promise.resolve(),
      acknowledge: (_, done) => Promise.resolve(void acknowledged.push(...done)),
    },
    deliver,
    onFewLeft: () => undefined,
    onError: () => undefined,
    ...terms,
  });
  return { reader, acknowledged };
}

const settle: Deliver<StreamRecord> = async (_, __, commit) => {
  await commit();
  return 'settled';
};

describe('PartitionReader', () => {
  it('asks for more before it runs out, and says behind what it waits once there is nothing', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `${n + 1}-0`);
    let asked = 0;
    const { reader, acknowledged } = readerOf(ids, settle, { onFewLeft: () => (asked += 1) });
    reader.keepUntil(performance.now() + 5_000);
    while (reader.wantsFetch) {
      expect(reader.waitsBehind).toBeUndefined();
      await reader.fetch();
      await reader.idle();
    }
    expect(acknowledged).toEqual(ids);
    expect(asked).toBe(2);
    expect(reader.waitsBehind).toBe('40-0');
    reader.lose();
  });

  it('hands in nothing once its time is over, though the process was busy when it ended', async () => {
    const handed: string[] = [];
    const { reader } = readerOf(['1-0', '2-0'], async (record, gone, commit) => {
      handed.push(record.id);
      for (const until = performance.now() + 100; performance.now() < until;);
      return settle(record, gone, commit);
    });
    reader.keepUntil(performance.now() + 50);
    await reader.fetch();
    await reader.fetch();
    await reader.idle();
    expect(handed).toEqual(['1-0']);
    expect(reader.isGone).toBe(true);
  });

  it('leaves a message that was put off when it loses the stream', async () => {
    let times = 0;
    const { reader, acknowledged } = readerOf(['1-0'], () => {
      times += 1;
      return Promise.resolve('postponed');
    });
    reader.keepUntil(performance.now() + 5_000);
    await reader.fetch();
    await reader.fetch();
    while (times < 2) await pause(10);
    reader.lose();
    await reader.idle();
    expect(acknowledged).toEqual([]);
  });

  it('tells of a message that could not be acknowledged, and hands in nothing behind it', async () => {
    const errors: Error[] = [];
    const { reader } = readerOf(['1-0', '2-0'], () => Promise.reject(new Error('the connection was closed')), {
      onError: (error) => errors.push(error),
    });
    reader.keepUntil(performance.now() + 5_000);
    await reader.fetch();
    await reader.fetch();
    await reader.idle();
    expect(errors.map(({ message }) => message)).toEqual(['the connection was closed']);
    expect(reader.isGone).toBe(true);
  });
});
