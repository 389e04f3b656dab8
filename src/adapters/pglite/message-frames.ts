const sslRequest = 80_877_103;
const gssRequest = 80_877_104;
const cancelRequest = 80_877_102;

/** As PostgreSQL itself bounds it: more than 1 GB is no message. */
const longestMessage = 0x3fff_ffff;

/** Bytes that no client of PostgreSQL sends. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/** What a client begins a connection with. */
export type Opening = 'encryption' | 'cancel' | 'startup';

/** The first packet of a connection once it is whole: it has a length but no type. */
export function openingOf(bytes: Buffer): { readonly kind: Opening; readonly length: number } | undefined {
  if (bytes.length < 8) return undefined;
  const length = bytes.readInt32BE(0);
  if (length < 8 || length > 10_000) throw new ProtocolViolation('this is not the PostgreSQL protocol');
  if (bytes.length < length) return undefined;
  const code = bytes.readInt32BE(4);
  if (code === sslRequest || code === gssRequest) return { kind: 'encryption', length };
  return { kind: code === cancelRequest ? 'cancel' : 'startup', length };
}

/** Length of the whole messages at the beginning of `bytes`: each has a type of one byte and a length. */
export function wholeMessages(bytes: Buffer): number {
  let end = 0;
  while (bytes.length >= end + 5) {
    const length = bytes.readInt32BE(end + 1);
    if (length < 4 || length > longestMessage) throw new ProtocolViolation('this is not the PostgreSQL protocol');
    if (bytes.length < end + 1 + length) break;
    end += 1 + length;
  }
  return end;
}

/** One simple query. */
export function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

/** Ends a run of extended-protocol messages, also one that failed half way. */
export const syncMessage = Buffer.from([0x53, 0, 0, 0, 4]);

/** A client says with it that it leaves. */
export const terminateType = 0x58;
