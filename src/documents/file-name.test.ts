import { describe, expect, it } from '@jest/globals';
import { cleanFileName } from './file-name.js';

describe('cleanFileName', () => {
  it.each([
    ['中文 文件.xlsx', '中文 文件.xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\notes.md', 'notes.md'],
    ['a\0b\r\n\tc\u0085.md', 'abc.md'],
    ['exe\u202etxt.md', 'exetxt.md'],
    ['\u2067x\u2069.md\u200f', 'x.md'],
    ['👨‍👩‍👧 e\u0301 %20 <b>"quoted"\'.md', '👨‍👩‍👧 e\u0301 %20 <b>"quoted"\'.md'],
    ['  spaced .md ', 'spaced .md'],
    ['.env', '.env'],
  ])('makes of %j the name %j', (given, name) => {
    expect(cleanFileName(given)).toBe(name);
  });

  it.each(['', '   ', '.', '..', 'folder/', 'folder/..', '\u202e\0'])('has a name for %j', (given) => {
    expect(cleanFileName(given)).toBe('untitled');
  });
});
