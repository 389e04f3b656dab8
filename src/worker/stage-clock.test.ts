import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Stage } from '../domain/task/stage.js';
import { TaskType } from '../domain/task/task-type.js';
import { StageClock } from './stage-clock.js';
import { OverLimit } from './work-result.js';

const limits = {
  stageMs: 1_000,
  parseMsPerMillion: 0,
  cutMsPerMillion: 0,
  embedMsPerMillion: 4_000,
  attemptMs: 10_000,
  heedMs: 1,
  readingMs: 0,
};
const million = { taskType: TaskType.BuildIndex, sourceBytes: 1, textChars: 1_000_000 };

describe('the clock of an attempt', () => {
  let clock: StageClock;

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new StageClock(million, limits);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('aborts when a stage takes longer than its own limit, whatever the one before had left', () => {
    expect(clock.begin(Stage.ChunkExecute)).toBe(1_000);
    jest.advanceTimersByTime(900);
    expect(clock.begin(Stage.Vectorize)).toBe(5_000);
    jest.advanceTimersByTime(4_999);
    expect(clock.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(clock.signal.reason).toEqual(new OverLimit('The stage VECTORIZE took longer than 5 s.'));
  });

  it('aborts when all stages together take longer than an attempt may', () => {
    for (let stage = 0; stage < 2; stage += 1) {
      clock.begin(Stage.Vectorize);
      jest.advanceTimersByTime(4_000);
    }
    expect(clock.begin(Stage.Vectorize)).toBe(2_000);
    jest.advanceTimersByTime(2_000);
    expect(clock.signal.reason).toEqual(new OverLimit('The attempt took longer than 10 s.'));
  });

  it('is still once it was stopped', () => {
    clock.begin(Stage.ChunkExecute);
    clock.stop();
    jest.advanceTimersByTime(100_000);
    expect(clock.signal.aborted).toBe(false);
  });
});
