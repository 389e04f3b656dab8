import { afterEach, describe, expect, it } from '@jest/globals';
import type { Id } from '../domain/ids/id.js';
import { TaskType } from '../domain/task/task-type.js';
import { listeningLogger, type LogLine } from '../testing/listening-logger.js';
import { TaskFinder } from './task-finder.js';

/** A database and an intake that say what they are told to, and a finder that looks without a pause. */
function standIns({ room = 2, found = [] as readonly Id[] } = {}) {
  const lines: LogLine[] = [];
  const asked: number[] = [];
  const taken: Id[] = [];
  const waiting = new Map<number, () => void>();
  const scene = {
    room,
    look: (): Promise<readonly Id[]> => Promise.resolve(found),
  };
  const finder = new TaskFinder(
    {
      leases: {
        claimable: async (_types, _afterMs, limit) => {
          asked.push(limit);
          waiting.get(asked.length)?.();
          return [...(await scene.look())];
        },
      },
      intake: {
        get room() {
          return scene.room;
        },
        takeFound: (taskId) => {
          taken.push(taskId);
          scene.room -= 1;
          return Promise.resolve(true);
        },
      },
      random: () => 0.5,
      logger: listeningLogger(lines),
    },
    { types: [TaskType.BuildIndex], everyMs: 1, afterMs: 3_000 },
  );
  /** Resolves when the database is asked for the n-th time. */
  const looks = (n: number) => new Promise<void>((resolve) => waiting.set(n, resolve));
  return { scene, finder, lines, asked, taken, looks };
}

describe('a look for tasks without a message', () => {
  it('asks the database nothing while no slot is free', async () => {
    const { finder, asked } = standIns({ room: 0, found: ['1'] });
    expect(await finder.runOnce()).toBe(0);
    expect(asked).toEqual([]);
  });

  it('tries no task more than it has slots for', async () => {
    const { finder, taken } = standIns({ room: 2, found: ['1', '2', '3', '4'] });
    expect(await finder.runOnce()).toBe(2);
    expect(taken).toEqual(['1', '2']);
  });
});

describe('looking all the time', () => {
  let stop: () => Promise<void> = () => Promise.resolve();
  afterEach(() => stop());

  it('goes on while the database is away, and tells of that once each time', async () => {
    const { scene, finder, lines, looks } = standIns();
    stop = () => finder.stop();
    const warnings = () => lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
    const away = () => Promise.reject(new Error('gone'));
    const back = scene.look;
    scene.look = away;
    const third = looks(3);
    finder.start();
    await third;
    expect(warnings()).toEqual(['tasks could not be looked for']);
    scene.look = back;
    await looks(6);
    scene.look = away;
    await looks(9);
    expect(warnings()).toHaveLength(2);
  });

  it('ends with the look in flight, and none comes after it', async () => {
    const { scene, finder, asked, looks } = standIns();
    let answer: (ids: readonly Id[]) => void = () => undefined;
    scene.look = () => new Promise((resolve) => (answer = resolve));
    const first = looks(1);
    finder.start();
    await first;
    let over = false;
    const stopped = finder.stop().then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    answer([]);
    await stopped;
    await finder.stop();
    const soon = new Promise((resolve) => setTimeout(resolve, 5));
    await soon;
    expect(asked).toHaveLength(1);
  });
});
