import { ZipFile } from '../../containers/zip-file.js';
import { corrupt } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { Omissions, type OmittedKind } from '../../writing/omissions.js';
import { cellText, writePieces, type Piece } from '../../writing/pieces.js';
import { writing } from '../format.js';
import { readPackage, type ChapterRole } from './book-package.js';
import { readChapter } from './read-chapter.js';
import { refuseProtected } from './refuse-protected.js';

const missing: OmittedKind = {
  code: 'CHAPTERS_MISSING',
  one: 'missing or damaged chapter',
  many: 'missing or damaged chapters',
};
const withRole: Readonly<Record<ChapterRole, OmittedKind>> = {
  contents: { code: 'CONTENTS_LEFT_OUT', one: 'table of contents', many: 'tables of contents' },
  cover: { code: 'COVER_LEFT_OUT', one: 'cover', many: 'covers' },
};

interface ReadChapter {
  readonly page: number;
  readonly pieces: readonly Piece[];
}

/**
 * A book: its chapters in the order of reading, each a page. Its table of contents and cover are left out, unless there is
 * nothing else.
 */
export const readEpub = writing(async ({ file }, out, limits) => {
  const zip = await ZipFile.open(file, limits);
  await refuseProtected(zip, limits);
  const { title, chapters } = await readPackage(zip, limits);
  const omissions = new Omissions();
  const apart: (ReadChapter & { readonly role: ChapterRole })[] = [];
  let found = 0;
  for (const [i, chapter] of chapters.entries()) {
    const page = i + 1;
    const pieces = await readChapter(zip, chapter, { page, omissions, out });
    if (!pieces) omissions.add(missing, { place: page });
    else if (chapter.role) apart.push({ page, pieces, role: chapter.role });
    else writeChapter({ page, pieces }, title, out);
    if (pieces) found += 1;
  }
  if (found === 0) throw corrupt('none of its chapters is there');
  const isNothingElse = !out.hasText;
  for (const { role, ...chapter } of apart) {
    if (isNothingElse) writeChapter(chapter, title, out);
    else omissions.add(withRole[role], { text: cellText(chapter.pieces), place: chapter.page });
  }
  omissions.tell(out);
});

/** The first chapter has the title of the book above it, unless that is what it begins with. */
function writeChapter({ page, pieces }: ReadChapter, title: string, out: DocumentWriter): void {
  if (pieces.length === 0) return;
  const [first] = pieces;
  out.turnTo(page);
  if (!out.hasText && !(first && 'text' in first && sameWords(first.text, title))) out.heading(1, title);
  writePieces(pieces, out);
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(a) === plain(b);
}
