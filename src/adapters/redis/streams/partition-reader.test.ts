import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deliver } from '../../../messaging/broker/laned-consumer.js';
import { PartitionReader, type ReaderTerms } from './partition-reader.js';
import type { StreamRecord } from './stream-record.js';
import type { ReadEntry } from './stream-scripts.js';

const entry = (id: string): ReadEntry => ({ id, fields: [], timesInHand: 0 });

/** A reader of a stream with these entries, which nobody was given yet. */
function readerOf(
  ids: readonly string[],
  deliver: Deliver<StreamRecord>,
  { acknowledge, ...terms }: Partial<ReaderTerms & Pick<ReaderTerms['scripts'], 'acknowledge'>> = {},
) {
  const acknowledged: string[] = [];
  const rest = [...ids];
  const reader = new PartitionReader({
    stream: 'test-document-parse:0',
    lastGiven: '0-0',
    scripts: {
      replay: () => Promise.resolve([]),
      read: (_, count) => Promise.resolve(rest.splice(0, count).map(entry)),
      noteInHand: () => Promise.resolve(),
      acknowledge: acknowledge ?? ((_, done) => Promise.resolve(void acknowledged.push(...done))),
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

/** Lets everything run that can run without waiting for anything. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

  it('tells of messages that could not be acknowledged, and loses the stream', async () => {
    const errors: Error[] = [];
    const { reader } = readerOf(['1-0', '2-0'], settle, {
      onError: (error) => errors.push(error),
      acknowledge: () => Promise.reject(new Error('the connection was closed')),
    });
    reader.keepUntil(performance.now() + 5_000);
    await reader.fetch();
    await reader.fetch();
    await reader.idle();
    expect(errors[0]?.message).toBe('the connection was closed');
    expect(reader.isGone).toBe(true);
  });

  it('hands in the next message while Redis is told of the last, and is idle once it knows', async () => {
    const told: string[][] = [];
    const answers: (() => void)[] = [];
    const handed: string[] = [];
    const deliver: Deliver<StreamRecord> = (record, gone, commit) => {
      handed.push(record.id);
      return settle(record, gone, commit);
    };
    const acknowledge = (_: string, ids: readonly string[]): Promise<void> => {
      told.push([...ids]);
      return new Promise((answer) => answers.push(answer));
    };
    const { reader } = readerOf(['1-0', '2-0'], deliver, { acknowledge });
    reader.keepUntil(performance.now() + 5_000);
    await reader.fetch();
    await reader.fetch();
    while (handed.length < 2) await turn();
    let idle = false;
    const waiting = reader.idle().then(() => (idle = true));
    expect(told).toEqual([['1-0']]);
    answers[0]?.();
    await turn();
    expect([told, idle]).toEqual([[['1-0'], ['2-0']], false]);
    answers[1]?.();
    await waiting;
    reader.lose();
  });
});
