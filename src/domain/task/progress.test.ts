import { describe, expect, it } from '@jest/globals';
import { ExecuteStatus } from '../plan/step-status.js';
import { freshStages, percentOf, type StageProgress } from './progress.js';
import { Stage, stagesOf } from './stage.js';
import { TaskType } from './task-type.js';

const outlines = stagesOf(TaskType.BuildIndex);
const at = (changes: Partial<Record<Stage, Partial<StageProgress>>>) =>
  freshStages(outlines).map((progress) => ({ ...progress, ...changes[progress.stage] }));

describe('percent of a task', () => {
  it('adds the shares of finished stages and the part of the running one', () => {
    expect(percentOf(outlines, freshStages(outlines), false)).toBe(0);
    const half = at({
      [Stage.ChunkExecute]: { status: ExecuteStatus.Success },
      [Stage.Vectorize]: { status: ExecuteStatus.Running, done: 5, total: 10 },
    });
    expect(percentOf(outlines, half, false)).toBe(52);
  });

  it('keeps 100 for success', () => {
    const all = freshStages(outlines).map((progress) => ({ ...progress, status: ExecuteStatus.Success }));
    expect(percentOf(outlines, all, false)).toBe(99);
    expect(percentOf(outlines, all, true)).toBe(100);
  });

  it('has shares that add up to 100 for every type of task', () => {
    for (const type of Object.values(TaskType)) {
      expect(stagesOf(type).reduce((sum, { share }) => sum + share, 0)).toBe(100);
    }
  });
});
