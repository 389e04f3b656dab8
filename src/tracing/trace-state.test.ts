import { describe, expect, it } from '@jest/globals';
import { readTraceState } from './trace-state.js';

const members = (count: number, length: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `k${from + n}=`.padEnd(length, 'v'));

describe('the state of a trace', () => {
  it.each([
    ['rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['rojo=1 ,\tcongo=t61 rcW', 'rojo=1,congo=t61 rcW'],
    ['rojo=1,,congo=2,', 'rojo=1,congo=2'],
    ['fw529a3039@dt=FfAAAAE,a-b*c/d_e=!~', 'fw529a3039@dt=FfAAAAE,a-b*c/d_e=!~'],
    ['1tenant@sys=x', '1tenant@sys=x'],
  ])('is passed on without what is only between its members: %s', (header, read) => {
    expect(readTraceState(header)).toBe(read);
  });

  it.each([
    ['nothing', ''],
    ['a member without a value', 'rojo'],
    ['an empty value', 'rojo='],
    ['a value with an equals sign', 'rojo=1, congo=t61 rcW='],
    ['a key in capitals', 'Rojo=1'],
    ['a key that begins with a digit', '1rojo=1'],
    ['a key that stands twice', 'rojo=1,congo=2,rojo=3'],
    ['a value that is not ASCII', 'rojo=é'],
    ['a control character', 'rojo=a\u0001b'],
    ['a key that is too long', `${'k'.repeat(257)}=1`],
    ['a value that is too long', `rojo=${'v'.repeat(257)}`],
    ['more members than may be', members(33, 8).join(',')],
  ])('is left out as a whole for %s', (_, header) => {
    expect(readTraceState(header)).toBeUndefined();
  });

  it('has room for what the specification wants passed on', () => {
    const full = members(32, 15).join(',');
    expect(full).toHaveLength(511);
    expect(readTraceState(full)).toBe(full);
  });

  it('loses whole members beyond that: the long ones first, then the oldest, which stand last', () => {
    const [long, short] = [members(2, 200, 50), members(10, 60)];
    expect(readTraceState([...long, ...short].join(','))).toBe(short.slice(0, 8).join(','));
    expect(readTraceState(members(3, 250).join(','))).toBeUndefined();
  });
});
