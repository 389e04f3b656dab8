import { describe, expect, it } from '@jest/globals';
import type { TextBlock } from '../layout/laid-block.js';
import { raisedText } from '../layout/raised-text.js';
import { footnoteOf, withReferences } from './footnotes.js';

const body = { size: 10, weight: 0, isMono: false };

function block(text: string, more: Partial<TextBlock> = {}): TextBlock {
  const places = { indent: 0, isIndented: false, isFull: false, isAtFoot: true, isColumnStart: false };
  return { kind: 'text', text, lineCount: 1, size: 8, weight: 0, isMono: false, ...places, ...more };
}

describe('footnoteOf', () => {
  it.each([
    [`${raisedText('1')} Behind a raised number.`, { label: '1', text: 'Behind a raised number.' }],
    ['12 Behind a number.', { label: '12', text: 'Behind a number.' }],
    ['† Behind a sign.', { label: '†', text: 'Behind a sign.' }],
  ])('knows a note by its mark: %s', (text, note) => {
    expect(footnoteOf(block(text), body)).toEqual(note);
  });

  it.each([
    ['without a mark', block('Small text.')],
    ['elsewhere on the page', block('1 Text', { isAtFoot: false })],
    ['as large as the text', block('1 Text', { size: 10 })],
    ['of a longer number', block('00000010 74 65')],
    ['of code', block('1 Text', { isMono: true })],
  ])('does not take a text %s for one', (_, text) => {
    expect(footnoteOf(text, body)).toBeUndefined();
  });
});

describe('withReferences', () => {
  it('refers to the notes that there are', () => {
    const labels = new Set(['1', '2']);
    expect(withReferences(`word${raisedText('1')} and ${raisedText('1,2')}`, labels)).toBe('word[^1] and [^1][^2]');
  });

  it('keeps other raised numbers apart from what is before them', () => {
    expect(withReferences(`10${raisedText('3')} m`)).toBe('10^3 m');
    expect(withReferences(`${raisedText('1')}University`)).toBe('1 University');
  });
});
