import { describe, expect, it } from '@jest/globals';
import { OrderedUuids } from './ordered-uuid.js';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('OrderedUuids', () => {
  it('gives version 7 ids that carry the time', () => {
    const id = new OrderedUuids(() => Date.UTC(2026, 0, 1)).next();
    expect(id).toMatch(form);
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 1));
  });

  it('rises within a millisecond, beyond its counter, and while the clock steps back', () => {
    let now = 1_000_000;
    const uuids = new OrderedUuids(() => now);
    const ids = Array.from({ length: 10_000 }, (_, n) => {
      if (n === 9_000) now -= 500_000;
      return uuids.next();
    });
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
