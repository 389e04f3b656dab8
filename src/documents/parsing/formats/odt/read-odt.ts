import type { Readable } from 'node:stream';
import { AppError } from '../../../../domain/errors.js';
import { rangeStream } from '../../containers/range-stream.js';
import { readXml, type XmlAttributes, type XmlHandler } from '../../containers/xml-events.js';
import { ZipFile } from '../../containers/zip-file.js';
import { unsupported } from '../../detection/unsupported.js';
import { corrupt, type ReadLimits } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { Omissions } from '../../writing/omissions.js';
import { writing } from '../format.js';
import { BodyWriter } from '../word-processing/body-writer.js';
import { NoteQueue } from '../word-processing/note-queue.js';
import { readFormulas } from './formulas.js';
import { odtPrefixes } from './namespaces.js';
import { OdtStory, type OdtFacts } from './odt-story.js';
import { OdtStyles } from './odt-styles.js';

/** An OpenDocument text: styles and contents lie in parts of their own. */
export const readOdt = writing(async ({ file }, out, limits) => {
  const zip = await ZipFile.open(file, limits);
  await refuseEncrypted(zip, limits);
  const reading = new OdtReading(out, await readFormulas(zip, limits));
  for (const part of ['styles.xml', 'content.xml']) {
    if (part === 'content.xml' || zip.has(part)) await reading.read(await zip.stream(part), limits, part);
  }
  reading.end();
});

/** The same as one XML file. */
export const readFlatOdt = writing(async ({ file }, out, limits) => {
  const reading = new OdtReading(out, new Map());
  await reading.read(rangeStream(file, 0, file.sizeBytes), limits);
  reading.end();
});

async function refuseEncrypted(zip: ZipFile, limits: ReadLimits): Promise<void> {
  const part = 'META-INF/manifest.xml';
  if (!zip.has(part)) return;
  let isEncrypted = false;
  const open = (name: string): void => {
    if (name === 'manifest:encryption-data') isEncrypted = true;
  };
  await readXml(
    await zip.stream(part),
    { open, close: () => undefined },
    { prefixes: odtPrefixes, limits, name: part },
  );
  if (isEncrypted) throw new AppError('ENCRYPTED', 'The file is protected by a password.');
}

/** Sorts what stands in the parts of a document: styles, and the text itself. */
class OdtReading implements XmlHandler {
  private readonly facts: OdtFacts;
  private readonly styles: OdtStyles;
  private readonly body: BodyWriter;
  private readonly story: OdtStory;
  private inBody = false;
  private hasText = false;

  constructor(
    private readonly out: DocumentWriter,
    formulas: OdtFacts['formulas'],
  ) {
    const omissions = new Omissions();
    this.styles = new OdtStyles(omissions);
    this.facts = { styles: this.styles, notes: new NoteQueue(), omissions, formulas };
    this.body = new BodyWriter(out, this.facts.notes);
    this.story = new OdtStory(this.facts, this.body);
  }

  read(source: Readable, limits: ReadLimits, name?: string): Promise<void> {
    return readXml(source, this, { prefixes: odtPrefixes, limits, ...(name === undefined ? {} : { name }) });
  }

  open(name: string, attributes: XmlAttributes): void {
    if (/^office:(?:spreadsheet|presentation|drawing|chart)$/.test(name))
      throw unsupported('OpenDocument other than text');
    if (name === 'office:text') this.hasText = true;
    if (name === 'office:body') this.inBody = true;
    else if (this.inBody) this.story.open(name, attributes);
    else this.styles.open(name, attributes);
  }

  close(name: string): void {
    if (name === 'office:body') this.inBody = false;
    else if (this.inBody) this.story.close(name);
    else this.styles.close(name);
  }

  text(text: string): void {
    if (this.inBody) this.story.text(text);
    else this.styles.text(text);
  }

  end(): void {
    if (!this.hasText) throw corrupt('it has no text part');
    this.story.end();
    this.body.end();
    this.out.forgetPages();
    this.facts.omissions.tell(this.out);
  }
}
