import { describe, expect, it } from '@jest/globals';
import { testReadLimits } from '../../../testing/read-bytes.js';
import { DocumentWriter } from './document-writer.js';
import { Omissions } from './omissions.js';

const comments = { code: 'COMMENTS_LEFT_OUT', one: 'comment', many: 'comments' };
const pictures = { code: 'PICTURES_LEFT_OUT', one: 'picture', many: 'pictures' };

function told(fill: (omissions: Omissions) => void): string[] {
  const out = new DocumentWriter(testReadLimits);
  const omissions = new Omissions();
  fill(omissions);
  omissions.tell(out);
  return out.finish().warnings.map(({ code, message }) => `${code} ${message}`);
}

describe('Omissions', () => {
  it('tells of each kind once: how many, where, how much, and how it begins', () => {
    const messages = told((omissions) => {
      omissions.add(pictures, { place: 3 });
      omissions.add(comments, { text: 'Please\ncheck' });
      omissions.add(pictures, { place: 3 });
      omissions.add(pictures, { place: 5 });
    });
    expect(messages).toEqual([
      'PICTURES_LEFT_OUT 3 pictures were left out (pages 3, 5).',
      'COMMENTS_LEFT_OUT 1 comment was left out, 12 characters: "Please check".',
    ]);
  });

  it('shows a beginning of long texts and of long lists of places', () => {
    const [message] = told((omissions) => {
      for (let i = 1; i <= 30; i += 1) omissions.add(comments, { text: '😀'.repeat(25), place: 2 * i });
    });
    expect(message).toBe(
      `COMMENTS_LEFT_OUT 30 comments were left out (pages 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, …), 1500 characters: "${'😀'.repeat(25)} ${'😀'.repeat(25)} ${'😀'.repeat(8)}…".`,
    );
  });

  it('tells of pages that follow each other as one, and of what became of each', () => {
    const pages = { code: 'PARTIAL', one: 'page', many: 'pages', became: 'without text' };
    const messages = told((omissions) => {
      for (const place of [1, 4, 5, 5, 6, 9, 9]) omissions.add(pages, { place });
      omissions.add({ ...pages, became: 'damaged' }, { place: 7 });
      omissions.add(comments, { place: 7 });
      omissions.add(comments, { place: 8 });
    });
    expect(messages).toEqual([
      'PARTIAL 7 pages were without text (pages 1, 4–6, 9).',
      'PARTIAL 1 page was damaged (page 7).',
      'COMMENTS_LEFT_OUT 2 comments were left out (pages 7–8).',
    ]);
  });

  it('names places, and says what became of what is not left out', () => {
    const hidden = { code: 'HIDDEN_ROWS', one: 'hidden row', many: 'hidden rows', became: 'read' };
    const messages = told((omissions) => {
      omissions.add(hidden, { place: 'Sheet 1', count: 3 });
      omissions.add(hidden, { place: 'S'.repeat(70) });
    });
    expect(messages).toEqual([`HIDDEN_ROWS 4 hidden rows were read (pages "Sheet 1", "${'S'.repeat(60)}…").`]);
  });

  it('says nothing where nothing was left out', () => {
    expect(told(() => undefined)).toEqual([]);
  });
});
