import { Omissions, type OmittedKind } from '../../../writing/omissions.js';
import type { DocumentWriter } from '../../../writing/document-writer.js';
import { withReferences } from './footnotes.js';
import type { PageContent } from '../content/page-content.js';

const damaged: OmittedKind = { code: 'PARTIAL', one: 'page', many: 'pages', became: 'damaged and left out' };
const withoutText: OmittedKind = {
  code: 'PARTIAL',
  one: 'page',
  many: 'pages',
  became: 'without text: blank, or pictures only',
};
const unknown: OmittedKind = {
  code: 'CHARACTERS_UNKNOWN',
  one: 'character',
  many: 'characters',
  became: 'left out, for their fonts do not say what they mean',
};
const hidden: OmittedKind = {
  code: 'LAYERS_HIDDEN',
  one: 'character in a layer that is switched off',
  many: 'characters in layers that are switched off',
};
const running: OmittedKind = {
  code: 'RUNNING_HEADS',
  one: 'running head or page number',
  many: 'running heads and page numbers',
};

/** Counts what the text of a document will lack, and says so at the end. */
export class PdfOmissions {
  private readonly omissions = new Omissions();
  private lastDamaged = 0;
  /** Pages that could not be read at all. */
  damagedCount = 0;

  damagedPage(place: number): void {
    this.omissions.add(damaged, { place });
    this.damagedCount += 1;
    this.lastDamaged = place;
  }

  page({ number: place, texts, unknownCharacters, hiddenCharacters }: PageContent): void {
    if (texts.length === 0) this.omissions.add(withoutText, { place });
    if (unknownCharacters > 0) this.omissions.add(unknown, { place, count: unknownCharacters });
    if (hiddenCharacters > 0) this.omissions.add(hidden, { place, count: hiddenCharacters });
  }

  /** @param isAll nothing else stands on the page. */
  runningHeads(place: number, texts: readonly string[], isAll: boolean): void {
    for (const text of texts) this.omissions.add(running, { place, text: withReferences(text) });
    if (isAll && texts.length > 0) this.omissions.add(withoutText, { place });
  }

  /** @param pageCount pages that could be found. */
  tell(out: DocumentWriter, pageCount: number): void {
    this.omissions.tell(out);
    // The library looks no further than to the first page that it cannot find.
    if (pageCount > 0 && this.lastDamaged === pageCount) {
      out.warn('PARTIAL', 'The last page that could be found is damaged; if others follow it, they are lost as well.');
    }
  }
}
