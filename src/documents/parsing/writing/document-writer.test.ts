import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ParsedText } from '../../../domain/text/block.js';
import { testReadLimits } from '../../../testing/read-bytes.js';
import { unpackBlocks } from '../packed-blocks.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { DocumentWriter } from './document-writer.js';

function written(write: (out: DocumentWriter) => void, limits = {}): Omit<ParsedText, 'mediaType'> {
  const out = new DocumentWriter({ ...testReadLimits, ...limits });
  write(out);
  const { blocks, ...text } = out.finish();
  return { ...text, blocks: unpackBlocks(blocks) };
}

const refusal = (limit: string): unknown =>
  expect.objectContaining({ code: 'TOO_LARGE', details: expect.objectContaining({ limit }) });

describe('DocumentWriter', () => {
  it('writes Markdown with a block for each piece', () => {
    const { text, blocks } = written((out) => {
      out.heading(1, ' The\n title ');
      out.paragraph('😀 first line\n  second line\n\n');
      out.listItem('one', { depth: 1 });
      out.listItem('two\nof two lines', { depth: 2, number: 10 });
      out.listItem('three', { depth: 3 });
      out.openTable(['a', 'b|c']);
      out.row(['1', '2\n3']);
      out.row(['4', '5', '6']);
      out.row([]);
      out.caption('Table 1');
      out.quote('said\n\nmore');
      out.quote('once said\n\nmore', 2);
      out.rule();
      out.code('x = "```"\n', 'py');
      out.footnote('1', 'a note');
    });
    expect(text).toBe(
      [
        '# The title',
        '😀 first line\nsecond line',
        '- one\n  10. two\n      of two lines\n      - three',
        '| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n| 4 | 5 6 |\n|  |  |',
        'Table 1',
        '> said\n>\n> more',
        '> > once said\n> >\n> > more',
        '***',
        '````py\nx = "```"\n````',
        '[^1]: a note',
      ].join('\n\n'),
    );
    const points = [...text];
    expect(
      blocks.map(({ type, depth, charStart, charEnd }) => [type, depth, points.slice(charStart, charEnd).join('')]),
    ).toEqual([
      ['heading', 1, '# The title'],
      ['paragraph', undefined, '😀 first line\nsecond line'],
      ['listItem', 1, '- one'],
      ['listItem', 2, '10. two\n      of two lines'],
      ['listItem', 3, '- three'],
      ['table', undefined, expect.stringMatching(/^\| a \|[^]*\|\s+\|$/)],
      ['caption', undefined, 'Table 1'],
      ['quote', undefined, '> said\n>\n> more'],
      ['quote', undefined, '> > once said\n> >\n> > more'],
      ['thematicBreak', undefined, '***'],
      ['code', undefined, '````py\nx = "```"\n````'],
      ['footnote', undefined, '[^1]: a note'],
    ]);
  });

  it('gives items of one depth one indentation, also where none is above them', () => {
    const { text, blocks } = written((out) => {
      for (const depth of [3, 3, 2, 4, 4, 1, 2]) out.listItem(`d${depth}`, { depth });
    });
    expect(text).toBe('- d3\n- d3\n- d2\n  - d4\n  - d4\n- d1\n  - d2');
    expect(blocks.map(({ depth }) => depth)).toEqual([1, 1, 1, 2, 2, 1, 2]);
  });

  it('gives blocks the page that was turned to, and marks where a page ends', () => {
    const { text, blocks } = written((out) => {
      out.turnTo(1);
      out.paragraph('a');
      out.turnTo(1);
      out.turnTo(2);
      out.turnTo(4);
      out.listItem('b', { depth: 1 });
      out.turnTo(5);
      out.listItem('c', { depth: 2 });
    });
    expect(text).toBe('a\n\n- b\n  - c');
    expect(blocks).toEqual([
      { type: 'paragraph', charStart: 0, charEnd: 1, page: 1 },
      { type: 'pageBreak', charStart: 1, charEnd: 1, page: 1 },
      { type: 'pageBreak', charStart: 1, charEnd: 1, page: 2 },
      { type: 'listItem', depth: 1, charStart: 3, charEnd: 6, page: 4 },
      { type: 'pageBreak', charStart: 6, charEnd: 6, page: 4 },
      { type: 'listItem', depth: 2, charStart: 9, charEnd: 12, page: 5 },
    ]);
  });

  it('takes pages back', () => {
    const { blocks } = written((out) => {
      out.turnTo(1);
      out.paragraph('a');
      out.turnTo(2);
      out.paragraph('b');
      out.forgetPages();
      out.paragraph('c');
    });
    expect(blocks).toEqual([
      { type: 'paragraph', charStart: 0, charEnd: 1 },
      { type: 'paragraph', charStart: 3, charEnd: 4 },
      { type: 'paragraph', charStart: 6, charEnd: 7 },
    ]);
  });

  it('leaves out what is empty', () => {
    const { text, blocks } = written((out) => {
      out.heading(1, ' \n');
      out.paragraph('\u0000');
      out.listItem('', { depth: 1 });
      out.quote('\n\n');
      out.code('\n \n');
      out.footnote('1', ' ');
    });
    expect({ text, blocks }).toEqual({ text: '', blocks: [] });
  });

  it('takes out what no store takes, before it counts, and says so', () => {
    const { text, blocks, warnings } = written((out) => out.paragraph('a\u0000b\ud800c\r\nd'));
    expect(text).toBe('abc\nd');
    expect(blocks).toEqual([{ type: 'paragraph', charStart: 0, charEnd: 5 }]);
    expect(warnings).toEqual([{ code: 'CHARACTERS_REMOVED', message: expect.stringContaining('2 control') }]);
  });

  it('gives each warning once, and not without end', () => {
    const { warnings } = written((out) => {
      for (let i = 0; i < 200; i += 1) out.warn('W', `about ${i % 100}`);
    });
    expect(warnings).toHaveLength(51);
    expect(warnings.at(-1)?.code).toBe('MORE_WARNINGS');
  });

  it('refuses what is over a limit, and names it', () => {
    expect(() => written((out) => out.paragraph('12345678901'), { textChars: 10 })).toThrow(refusal('textChars'));
    expect(() => written((out) => out.paragraph('😀'.repeat(10)), { textChars: 10 })).not.toThrow();
    const three = (out: DocumentWriter): void => ['a', 'b', 'c'].forEach((text) => out.paragraph(text));
    expect(() => written(three, { blocks: 2 })).toThrow(refusal('blocks'));
    expect(() => written((out) => out.turnTo(3), { pages: 2 })).toThrow(refusal('pages'));
  });

  it('writes text that reads as the same blocks, whatever is in it', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        '# a',
        '---',
        '===',
        '```',
        '~~~',
        '> a',
        '<div>',
        '| a |',
        '***',
        'a\n---',
        'a\n\n# b',
        '    code',
      ),
    );
    const step = fc.oneof(
      fc.record({ type: fc.constant('heading' as const), depth: fc.integer({ min: 1, max: 6 }), text: piece }),
      fc.record({ type: fc.constantFrom('paragraph' as const, 'code' as const, 'quote' as const), text: piece }),
      fc.record({ type: fc.constantFrom('table' as const, 'quoteInQuote' as const, 'rule' as const), text: piece }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const { text, blocks } = written((out) => {
          for (const step of steps) {
            if (step.type === 'heading') out.heading(step.depth, step.text);
            else if (step.type === 'quoteInQuote') out.quote(step.text, 2);
            else if (step.type === 'rule') out.rule();
            else if (step.type === 'table') {
              out.openTable([step.text, 'b']);
              out.row(['1', step.text]);
            } else out[step.type](step.text);
          }
        });
        // Lists are not part of it: a paragraph that looks like an item reads as one, which is what it means.
        fc.pre(!/^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/m.test(text) && !/^\[/m.test(text));
        expect(unpackBlocks(parseMarkdown(text, 1_000))).toEqual(blocks);
      }),
      { numRuns: 500, seed: 6 },
    );
  });
});
