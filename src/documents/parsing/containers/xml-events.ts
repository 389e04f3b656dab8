import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { AppError } from '../../../domain/errors.js';
import { corrupt, tooLarge, type ReadLimits } from '../read-limits.js';
import { xmlDecoder } from './xml-decoder.js';

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

/**
 * Reads XML as it comes, in bounded memory. Entities that a document defines itself are not known, so none can grow.
 *
 * @throws AppError CORRUPT where it is not well-formed, TOO_LARGE for elements nested too deeply.
 */
export async function readXml(
  source: Readable,
  handler: XmlHandler,
  { prefixes, limits }: { readonly prefixes: XmlPrefixes; readonly limits: Pick<ReadLimits, 'depth'> },
): Promise<void> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const named = (prefix: string, local: string, uri: string): string => {
    const own = prefixes.get(uri) ?? prefix;
    return own === '' ? local : `${own}:${local}`;
  };
  const open: string[] = [];
  parser.on('opentag', (tag) => {
    if (open.length === limits.depth)
      throw tooLarge('depth', limits.depth, `${limits.depth} elements within each other`);
    const name = named(tag.prefix, tag.local, tag.uri);
    open.push(name);
    const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const { prefix, local, uri, value } of Object.values(tag.attributes))
      attributes[named(prefix, local, uri)] = value;
    handler.open(name, attributes);
  });
  parser.on('closetag', () => handler.close(open.pop() ?? ''));
  const text = handler.text?.bind(handler);
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.on('error', (error) => {
    throw corrupt('a part of it is not well-formed XML', error);
  });
  const decode = xmlDecoder();
  try {
    for await (const part of source) parser.write(decode(part as Buffer));
    parser.write(decode());
    parser.close();
  } catch (error) {
    // The namespaces of saxes are looked up before its own check of the prefix.
    throw error instanceof AppError ? error : corrupt('a part of it is not well-formed XML', error);
  }
}
