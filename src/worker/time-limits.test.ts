import { describe, expect, it } from '@jest/globals';
import { Stage } from '../domain/task/stage.js';
import { TaskType } from '../domain/task/task-type.js';
import { stageLimitMs, type TimeLimits } from './time-limits.js';

const limits: TimeLimits = {
  stageMs: 1_000,
  parseMsPerMillion: 10,
  cutMsPerMillion: 100,
  embedMsPerMillion: 10_000,
  attemptMs: 1_000_000,
  heedMs: 5,
  readingMs: 50_000,
};
const parse = { taskType: TaskType.ParseDocument, sourceBytes: 3_000_000, textChars: 0 };
const build = { taskType: TaskType.BuildIndex, sourceBytes: 9_000_000, textChars: 2_000_000 };

describe('the time limit of a stage', () => {
  it('leaves two readings and a part by bytes to reading a source', () => {
    expect(stageLimitMs(Stage.ContentParse, parse, limits)).toBe(1_000 + 100_000 + 30);
    expect(stageLimitMs(Stage.StrategyRoute, parse, limits)).toBe(1_000 + 300);
  });

  it('grows with the characters of the text that is built', () => {
    expect(stageLimitMs(Stage.ChunkExecute, build, limits)).toBe(1_000 + 200);
    expect(stageLimitMs(Stage.Vectorize, build, limits)).toBe(1_000 + 20_000);
    expect(stageLimitMs(Stage.IndexWrite, build, limits)).toBe(1_000 + 200);
  });

  it('is that of the attempt where something is deleted', () => {
    const task = { taskType: TaskType.DeleteIndex, sourceBytes: 1, textChars: 0 };
    expect(stageLimitMs(Stage.IndexWrite, task, limits)).toBe(1_000_000);
  });
});
