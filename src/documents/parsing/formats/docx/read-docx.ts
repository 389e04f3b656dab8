import { elementIn, textIn, type XmlElement } from '../../containers/xml-tree.js';
import { Omissions } from '../../writing/omissions.js';
import type { Piece } from '../../writing/pieces.js';
import { writing } from '../format.js';
import { DrawnObjects } from '../ooxml/drawn-objects.js';
import { OfficePackage } from '../ooxml/office-package.js';
import { omitted } from '../ooxml/omitted.js';
import type { Relations } from '../ooxml/relations.js';
import { wholeNumber } from '../ooxml/values.js';
import { BodyWriter } from '../word-processing/body-writer.js';
import type { DocumentFacts } from './document-facts.js';
import { ListCounters } from './list-counters.js';
import { NoteBook } from './note-book.js';
import { Numbering } from './numbering.js';
import { readNotes, tallyComments, tallyHeaders } from './side-parts.js';
import { Story } from './story.js';
import { Styles } from './styles.js';

/** Share of its characters by which a document may differ from what Word noted when it laid out the pages. */
const pagesTolerance = 0.2;

/** Reads Word documents and templates. */
export const readDocx = writing(async ({ file }, out, limits) => {
  const pack = await OfficePackage.open(file, limits);
  const relations = await pack.relationsOf(pack.mainPart);
  const facts = await readFacts(pack, relations);
  const { omissions } = facts;
  const body = new BodyWriter(out, facts.notes);
  const story = new Story(facts, body);
  await pack.events(pack.mainPart, story);
  story.endRunOn();
  body.end();
  const { unfinished } = story.fields;
  if (unfinished > 0) omissions.add(omitted.unfinishedFields, { count: unfinished });
  if (!(await fitsPages(pack, story))) out.forgetPages();
  for (const { type, target } of relations.external()) {
    if (type !== 'hyperlink') omissions.add(omitted.external, { text: target });
  }
  omissions.tell(out);
});

async function readFacts(pack: OfficePackage, relations: Relations): Promise<DocumentFacts> {
  const omissions = new Omissions();
  const parts = (type: string): string[] => pack.partsOf(relations, type, omissions);
  const tree = (part: string | undefined): Promise<XmlElement> | undefined =>
    part === undefined ? undefined : pack.tree(part);
  const numbering = new Numbering(await tree(parts('numbering')[0]));
  const facts: DocumentFacts = {
    styles: new Styles(await tree(parts('styles')[0])),
    numbering,
    counters: new ListCounters(numbering),
    notes: new NoteBook(),
    omissions,
    drawn: await readDrawn(pack, relations),
  };
  for (const part of [...parts('footnotes'), ...parts('endnotes')]) await readNotes(pack, part, facts);
  for (const part of parts('comments')) await tallyComments(pack, part, facts);
  for (const part of [...parts('header'), ...parts('footer')]) await tallyHeaders(pack, part, facts);
  return facts;
}

async function readDrawn(pack: OfficePackage, relations: Relations): Promise<Map<string, readonly Piece[]>> {
  const objects = new DrawnObjects(pack, relations);
  const drawn = new Map<string, readonly Piece[]>();
  for (const { id } of relations.ofType('chart')) drawn.set(id, (await objects.chart(id)) ?? []);
  for (const { id } of relations.ofType('diagramData')) drawn.set(id, await objects.diagram(id));
  return drawn;
}

/**
 * Whether the page breaks that Word noted in the text are those of all its pages, and the text is about as long as when
 * it noted them: other programs change texts and leave what Word said of them as it was.
 */
async function fitsPages(pack: OfficePackage, { page, words }: Story): Promise<boolean> {
  const ofFile = await pack.relationsOf('');
  // The two kinds of Office Open XML differ in this name.
  const relation = [...ofFile.ofType('extended-properties'), ...ofFile.ofType('extendedProperties')][0];
  const part = pack.partOf(relation);
  if (part === undefined) return false;
  const properties = await pack.tree(part);
  const noted = (name: string): number | undefined => {
    const element = elementIn(properties, name);
    return element && wholeNumber(textIn(element).trim());
  };
  const characters = noted('ep:Characters') ?? 0;
  return noted('ep:Pages') === page && Math.abs(words.characters - characters) <= characters * pagesTolerance;
}
