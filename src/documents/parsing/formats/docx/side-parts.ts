import { elementsIn, textIn, type XmlElement } from '../../containers/xml-tree.js';
import { cellText } from '../../writing/pieces.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { DocumentFacts } from './document-facts.js';
import { ListCounters } from './list-counters.js';
import { KeptPieces } from '../word-processing/piece-target.js';
import { Story } from './story.js';

/** Reads the notes of a document, so that they are at hand where they are mentioned. */
export async function readNotes(pack: OfficePackage, part: string, facts: DocumentFacts): Promise<void> {
  await pack.events(part, new Story(apart(facts), new KeptPieces()));
}

/** Counts headers and footers that say something. */
export async function tallyHeaders(pack: OfficePackage, part: string, facts: DocumentFacts): Promise<void> {
  const kept = new KeptPieces();
  await pack.events(part, new Story(apart(facts), kept));
  const text = cellText(kept.pieces);
  if (text !== '') facts.omissions.add(omitted.headers, { text });
}

export async function tallyComments(pack: OfficePackage, part: string, facts: DocumentFacts): Promise<void> {
  const root = await pack.tree(part);
  for (const comment of elementsIn(root, 'w:comment')) {
    facts.omissions.add(omitted.comments, { text: wordsOf(comment) });
  }
}

/** Lists of other texts do not count in those of the body, and their relations are others. */
function apart(facts: DocumentFacts): DocumentFacts {
  return { ...facts, counters: new ListCounters(facts.numbering), drawn: new Map() };
}

function wordsOf(comment: XmlElement): string {
  return elementsIn(comment, 'w:p')
    .map((paragraph) => elementsIn(paragraph, 'w:t').map(textIn).join(''))
    .join('\n');
}
