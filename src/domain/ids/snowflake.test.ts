import { describe, expect, it } from '@jest/globals';
import { isId } from './id.js';
import { SnowflakeIds, snowflakeEpochMs } from './snowflake.js';

const at = (...times: number[]) => {
  let last = times[0] ?? 0;
  return () => snowflakeEpochMs + (last = times.shift() ?? last);
};
const drawn = (ids: SnowflakeIds, count: number) => Array.from({ length: count }, () => BigInt(ids.next()));

describe('SnowflakeIds', () => {
  it('holds time, node and sequence in their bits', () => {
    const ids = new SnowflakeIds(5, at(1_000, 1_000));
    expect(drawn(ids, 2)).toEqual([(1_000n << 22n) | (5n << 12n), (1_000n << 22n) | (5n << 12n) | 1n]);
  });

  it('rises without repeats when a millisecond is used up', () => {
    const ids = drawn(new SnowflakeIds(1, at(7)), 10_000);
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true);
  });

  it('never repeats when the clock steps back', () => {
    const ids = drawn(new SnowflakeIds(1, at(100, 100, 40, 41, 101)), 5);
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true);
  });

  it('gives different ids on different nodes in the same millisecond', () => {
    expect(new SnowflakeIds(1, at(9)).next()).not.toBe(new SnowflakeIds(2, at(9)).next());
  });

  it('refuses a node outside of its ten bits', () => {
    expect(() => new SnowflakeIds(1_024, at(0))).toThrow(RangeError);
  });
});

describe('isId', () => {
  it('takes positive 64-bit numbers in plain decimal only', () => {
    expect(['1', '9007199254740993', '9223372036854775807'].every(isId)).toBe(true);
    expect(['0', '-1', '007', '9223372036854775808', '1.0', '1e3', ' 1', '', '１２', 1].some(isId)).toBe(false);
  });
});
