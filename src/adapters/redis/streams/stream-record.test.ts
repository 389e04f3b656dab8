import { describe, expect, it } from '@jest/globals';
import { fieldsOf, incomingMessage } from './stream-record.js';

const stream = 'test-document-index-build:2';
const bytes = (fields: readonly (Buffer | string)[]): Buffer[] => fields.map((each) => Buffer.from(each as string));
const read = (fields: readonly (Buffer | string)[]) => incomingMessage({ stream, fields: bytes(fields) }, 'test');

describe('an entry of a stream', () => {
  it('carries key, bytes and headers, whatever the headers are called', () => {
    const value = Buffer.from([0, 255, 10, 13]);
    const headers = { 'x-a': 'Größe 量', key: 'k', value: 'v', 'header:key': 'twice', '': 'nameless', 'x-empty': '' };
    expect(read(fieldsOf('1', value, headers))).toEqual({ topic: 'document-index-build', key: '1', value, headers });
  });

  it('has no key and no value where a foreign program gave none', () => {
    expect(read(['x-from', 'elsewhere'])).toMatchObject({ key: null, value: null, headers: { 'x-from': 'elsewhere' } });
    expect(read(fieldsOf(null, null, { a: '1' }))).toMatchObject({ key: null, value: null, headers: { a: '1' } });
  });

  it('says the last of what a foreign program says twice', () => {
    expect(read(['key', '1', 'a', 'x', 'key', '2', 'a', 'y'])).toMatchObject({ key: '2', headers: { a: 'y' } });
  });

  it('survives names that objects have by themselves, and bytes that are no text', () => {
    const message = read(['__proto__', 'a', 'constructor', 'b', 'key', '\u{1f600}']);
    expect(Object.entries(message.headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(incomingMessage({ stream, fields: [Buffer.from('key'), Buffer.from([0xff])] }, 'test').key).toBe('\ufffd');
  });
});
