import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { AppError } from '../../../domain/errors.js';
import { corrupt, tooLarge, type ReadLimits } from '../read-limits.js';
import { xmlDecoder } from './xml-decoder.js';
import { XmlNames } from './xml-names.js';
import { shortPartName } from './zip-file.js';

/** Attributes by name. A missing one is undefined. */
export type XmlAttributes = Readonly<Record<string, string | undefined>>;

/** Gets the parts of an XML document in their order. Whatever it throws ends the reading. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** A stretch between two tags may come in several pieces. */
  text?(text: string): void;
}

/**
 * Prefixes by namespace. Names are given with these, whatever prefix the document itself uses; those of other
 * namespaces keep the document's own.
 */
export type XmlPrefixes = ReadonlyMap<string, string>;

export interface XmlOptions {
  readonly prefixes: XmlPrefixes;
  readonly limits: Pick<ReadLimits, 'depth'>;
  /** Of the part that is read, for messages; absent where the XML is the whole file. */
  readonly name?: string;
}

/**
 * Reads XML as it comes, in bounded memory. Entities that a document defines itself are not known, so none can grow.
 *
 * @throws AppError CORRUPT where it is not well-formed, TOO_LARGE for elements nested too deeply.
 */
export async function readXml(
  source: Readable,
  handler: XmlHandler,
  { prefixes, limits, name }: XmlOptions,
): Promise<void> {
  const malformed = (cause: unknown): AppError =>
    corrupt(`${name === undefined ? 'it' : `its part "${shortPartName(name)}"`} is not well-formed XML`, cause);
  // saxes would look up every name of every element anew.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = new XmlNames(prefixes);
  parser.on('opentag', (tag) => {
    if (names.depth === limits.depth)
      throw tooLarge('depth', limits.depth, `${limits.depth} elements within each other`);
    const { name, attributes } = names.enter(tag.name, tag.attributes);
    handler.open(name, attributes);
  });
  parser.on('closetag', () => handler.close(names.leave()));
  const text = handler.text?.bind(handler);
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.on('error', (error) => {
    throw malformed(error);
  });
  const decode = xmlDecoder();
  try {
    for await (const part of source) parser.write(decode(part as Buffer));
    parser.write(decode());
    parser.close();
  } catch (error) {
    throw error instanceof AppError ? error : malformed(error);
  }
}
