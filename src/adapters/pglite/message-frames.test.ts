import { describe, expect, it } from '@jest/globals';
import { openingOf, queryMessage, syncMessage, wholeMessages } from './message-frames.js';

const packet = (length: number, code: number, rest = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(8);
  head.writeInt32BE(length, 0);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, rest]);
};

describe('openingOf', () => {
  it('tells what a client begins with', () => {
    expect(openingOf(packet(8, 80_877_103))).toEqual({ kind: 'encryption', length: 8 });
    expect(openingOf(packet(16, 80_877_102, Buffer.alloc(8)))).toEqual({ kind: 'cancel', length: 16 });
    expect(openingOf(packet(9, 196_608, Buffer.from('\0Q')))).toEqual({ kind: 'startup', length: 9 });
  });

  it('waits for the whole packet', () => {
    expect(openingOf(packet(9, 196_608))).toBeUndefined();
    expect(openingOf(Buffer.alloc(7))).toBeUndefined();
  });

  it('refuses what is not the protocol', () => {
    expect(() => openingOf(Buffer.from('GET / HTTP/1.1\r\n'))).toThrow('not the PostgreSQL protocol');
  });
});

describe('wholeMessages', () => {
  it('ends behind the last message that is whole', () => {
    const query = queryMessage('select 1');
    const both = Buffer.concat([query, syncMessage]);
    expect(wholeMessages(both)).toBe(both.length);
    expect(wholeMessages(both.subarray(0, both.length - 1))).toBe(query.length);
    expect(wholeMessages(query.subarray(0, 3))).toBe(0);
  });

  it('refuses a length that no message has', () => {
    expect(() => wholeMessages(Buffer.from([0x51, 0, 0, 0, 3]))).toThrow('not the PostgreSQL protocol');
  });
});
