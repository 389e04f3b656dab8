import { describe, expect, it } from '@jest/globals';
import type { TextBlock } from '../layout/laid-block.js';
import { bodySetting } from './body-setting.js';
import { headingLevels } from './headings.js';
import type { OutlineEntry } from './outline.js';

function block(text: string, more: Partial<TextBlock> = {}): TextBlock {
  const places = { indent: 0, isIndented: false, isFull: false, isAtFoot: false, isColumnStart: false };
  return { kind: 'text', text, lineCount: 1, size: 10, weight: 0, isMono: false, ...places, ...more };
}
const body = block('A text that is much longer than the headings of it. '.repeat(10), { lineCount: 8 });

/** Levels by the texts of the headings. */
function levels(blocks: readonly TextBlock[], outline: readonly OutlineEntry[] = []): Record<string, number> {
  const found = headingLevels(blocks, bodySetting(blocks), outline);
  return Object.fromEntries([...found].map(([{ text }, level]) => [text, level]));
}

describe('headingLevels', () => {
  it('tells levels by size, and by weight where the size is that of the text', () => {
    const small = { weight: 2 };
    const blocks = ['A', 'B'].flatMap((name) => [
      block(`Chapter ${name}`, { size: 18, weight: 2 }),
      body,
      block(`Section ${name}`, { size: 13, weight: 2 }),
      body,
      block(`Part ${name}`, small),
      body,
    ]);
    expect(levels(blocks)).toEqual({
      'Chapter A': 1,
      'Chapter B': 1,
      'Section A': 2,
      'Section B': 2,
      'Part A': 3,
      'Part B': 3,
    });
  });

  it('puts a title that stands once above all others', () => {
    const blocks = [
      block('Title', { size: 24 }),
      block('Subtitle', { size: 18 }),
      ...['A', 'B'].flatMap((name) => [block(`Chapter ${name}`, { size: 14 }), body]),
    ];
    expect(levels(blocks)).toEqual({ Title: 1, Subtitle: 2, 'Chapter A': 2, 'Chapter B': 2 });
  });

  it('tells levels of one setting by their numbers', () => {
    const heading = (text: string): TextBlock => block(text, { size: 13, weight: 2 });
    const blocks = ['1. One', '1.1 Two', '2. Three', '2.1 Four', 'Annex'].flatMap((text) => [heading(text), body]);
    expect(levels(blocks)).toEqual({ '1. One': 1, '1.1 Two': 2, '2. Three': 1, '2.1 Four': 2, Annex: 1 });
  });

  it('believes the outline, and puts what it leaves out beside the like', () => {
    const heading = (text: string): TextBlock => block(text, { size: 13 });
    const blocks = [
      block('Title', { size: 24 }),
      heading('One'),
      body,
      heading('1.1 Plain'),
      body,
      block('as text'),
      body,
      heading('Other'),
      body,
    ];
    const outline = [
      { title: 'One', depth: 1 },
      { title: '1.1  Plain', depth: 2 },
      { title: 'As text', depth: 3 },
    ];
    expect(levels(blocks, outline)).toEqual({ Title: 1, One: 2, '1.1 Plain': 3, 'as text': 4, Other: 2 });
  });

  it.each<[string, TextBlock]>([
    ['a bold sentence', block('This is important.', { weight: 2 })],
    ['entries of a table of contents', block('Introduction ........ 1', { weight: 2 })],
    ['a bullet', block('bold item', { weight: 2, mark: { kind: 'bullet', value: 1, mark: '•', rest: 'bold item' } })],
    ['a number in large letters', block('42', { size: 30 })],
    ['a long text in larger letters', block('many words '.repeat(30), { size: 14, lineCount: 5 })],
    ['a note', block('Note', { weight: 2, isAtFoot: true })],
  ])('does not take %s for a heading', (_, text) => {
    expect(levels([text, body])).toEqual({});
  });

  it('does not take the last text for a heading because it is bold', () => {
    expect(levels([body, block('The end', { weight: 2 })])).toEqual({});
  });

  it('knows a document that is bold throughout', () => {
    const heavy = { ...body, weight: 2 };
    expect(levels([block('First', { weight: 2 }), heavy])).toEqual({});
  });
});
