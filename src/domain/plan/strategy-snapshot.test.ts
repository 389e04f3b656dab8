import { describe, expect, it } from '@jest/globals';
import { parseSnapshot, snapshotOf } from './strategy-snapshot.js';
import { Level, Strategy } from './strategy.js';

describe('strategy snapshot', () => {
  const steps = [
    { level: Level.Parent, strategy: Strategy.Structure },
    { level: Level.Child, strategy: Strategy.Llm },
    { level: Level.Child, strategy: Strategy.Recursive },
  ];

  it('writes the strategies of each level in order', () => {
    expect(snapshotOf(steps)).toBe('PARENT:1;CHILD:4,2');
  });

  it('gives back what it wrote', () => {
    expect(parseSnapshot(snapshotOf(steps))).toEqual({ PARENT: [1], CHILD: [4, 2] });
  });

  it('refuses steps without a level, and text that is no snapshot', () => {
    expect(() => snapshotOf(steps.slice(0, 1))).toThrow('CHILD');
    for (const bad of ['', 'PARENT:1', 'PARENT:9;CHILD:2', 'PARENT:1;CHILD:2;', 'CHILD:2;PARENT:1']) {
      expect(() => parseSnapshot(bad)).toThrow(RangeError);
    }
  });
});
