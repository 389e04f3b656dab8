import { describe, expect, it } from '@jest/globals';
import { childExecOptions } from './exec-options.js';

describe('childExecOptions', () => {
  it('keeps what loads code', () => {
    const loaders = ['--import', './ts-loader.mjs', '--no-warnings', '--require=./a.cjs', '-r', './b.cjs', '-C', 'dev'];
    expect(childExecOptions(loaders)).toEqual(loaders);
  });

  it('drops what names other code or can be had only once, with its value', () => {
    const parent = ['-e', 'main()', '--inspect=9229', '--inspect-brk', '--watch', '--watch-path=src', '--import', 'x'];
    expect(childExecOptions([...parent, '--input-type', 'module', '--print', '1', '--cpu-prof'])).toEqual([
      '--import',
      'x',
    ]);
  });

  it('sets the heap limit of the child in place of its parent’s', () => {
    expect(childExecOptions(['--max-old-space-size=4096', '--max_old_space_size', '99'], 64)).toEqual([
      '--max-old-space-size=64',
    ]);
    expect(childExecOptions(['--max-old-space-size=4096'])).toEqual([]);
  });
});
