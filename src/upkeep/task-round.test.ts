import { describe, expect, it } from '@jest/globals';
import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import { silentLogger } from '../logging/logger.js';
import { TaskRound } from './task-round.js';

interface Found {
  readonly taskId: Id;
}

/** Tasks 1 to `count`, of which those stay that `isBroken` says. */
function world(count: number, isBroken: (id: number) => boolean) {
  const open = new Set(Array.from({ length: count }, (_, i) => i + 1));
  const tried: number[] = [];
  const find = (after: Id, limit: number): Promise<Found[]> =>
    Promise.resolve(
      [...open]
        .filter((id) => id > Number(after))
        .slice(0, limit)
        .map((id) => ({ taskId: String(id) })),
    );
  const mend = ({ taskId }: Found): Promise<void> => {
    tried.push(Number(taskId));
    if (isBroken(Number(taskId))) return Promise.reject(new Error('broken'));
    open.delete(Number(taskId));
    return Promise.resolve();
  };
  return { open, tried, mend, round: new TaskRound<Found>(find, silentLogger) };
}

describe('a round over tasks', () => {
  it('reaches the good one behind 150 that cannot be mended', async () => {
    const { open, mend, round } = world(151, (id) => id <= 150);
    expect(await round.run(mend)).toBe(150);
    expect(open.has(151)).toBe(false);
  });

  it('reaches it, too, when a run has time for one task only, and begins anew at the end', async () => {
    const { open, tried, mend, round } = world(151, (id) => id <= 150);
    for (let runs = 0; runs < 152; runs += 1) {
      const over = new AbortController();
      await round.run((task) => mend(task).finally(() => over.abort()), over.signal);
    }
    expect(open.has(151)).toBe(false);
    expect(tried.slice(0, 151)).toEqual(Array.from({ length: 151 }, (_, i) => i + 1));
    await round.run(mend);
    expect(tried[151]).toBe(1);
  });

  it('stays where it is while the database is away', async () => {
    let isAway = true;
    const { open, mend, round } = world(3, () => false);
    const run = () =>
      round.run((task) => {
        if (isAway && task.taskId === '2') return Promise.reject(new AppError('DATABASE_UNAVAILABLE', 'away'));
        return mend(task);
      });
    await expect(run()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    isAway = false;
    expect(await run()).toBe(0);
    expect(open.size).toBe(0);
  });
});
