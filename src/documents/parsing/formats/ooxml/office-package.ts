import { readXml, type XmlHandler } from '../../containers/xml-events.js';
import { readXmlTree, type XmlElement } from '../../containers/xml-tree.js';
import { ZipFile } from '../../containers/zip-file.js';
import type { ReadLimits } from '../../read-limits.js';
import type { SourceFile } from '../../source-file.js';
import type { Omissions } from '../../writing/omissions.js';
import { OneAlternative } from './alternate-content.js';
import { findMainPart } from './main-part.js';
import { officePrefixes } from './namespaces.js';
import { omitted } from './omitted.js';
import { Relations, relationsPartOf, type Relation } from './relations.js';

/** An Office file: parts in an archive that relate to each other. Nothing outside of it is ever loaded. */
export class OfficePackage {
  private constructor(
    readonly zip: ZipFile,
    private readonly limits: ReadLimits,
    /** Name of the part that holds the document, workbook or presentation. */
    readonly mainPart: string,
  ) {}

  /** @throws AppError CORRUPT if it has no main part; as `ZipFile.open`. */
  static async open(file: SourceFile, limits: ReadLimits): Promise<OfficePackage> {
    const zip = await ZipFile.open(file, limits);
    const { part } = await findMainPart(zip, limits);
    return new OfficePackage(zip, limits, part);
  }

  async relationsOf(part: string): Promise<Relations> {
    const name = relationsPartOf(part);
    return this.zip.has(name) ? Relations.read(await this.tree(name), part) : Relations.none;
  }

  /** The part that a relation leads to, if it lies in the file and is there. */
  partOf(relation: Relation | undefined): string | undefined {
    if (!relation || relation.isExternal) return undefined;
    return [relation.target, decoded(relation.target)].find((name) => this.zip.has(name));
  }

  /** Parts of the file that relations of a type lead to, each once. Those that are not there are noted. */
  partsOf(relations: Relations, type: string, omissions: Omissions): string[] {
    const found = new Set<string>();
    for (const relation of relations.ofType(type)) {
      const part = this.partOf(relation);
      if (part === undefined) omissions.add(omitted.missing, { text: relation.target });
      else found.add(part);
    }
    return [...found];
  }

  /** A small part as a whole. @throws AppError CORRUPT, TOO_LARGE. */
  async tree(part: string): Promise<XmlElement> {
    const through = (handler: XmlHandler): XmlHandler => new OneAlternative(handler);
    return readXmlTree(await this.zip.stream(part), { ...this.xmlOptions(part), through });
  }

  /** A part as it comes. @throws AppError CORRUPT, TOO_LARGE. */
  async events(part: string, handler: XmlHandler): Promise<void> {
    await readXml(await this.zip.stream(part), new OneAlternative(handler), this.xmlOptions(part));
  }

  private xmlOptions(part: string): { prefixes: typeof officePrefixes; limits: ReadLimits; name: string } {
    return { prefixes: officePrefixes, limits: this.limits, name: part };
  }
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
