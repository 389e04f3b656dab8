import type { MessageHeaders } from './message-publisher.js';

/** Longest value that is sent or read, in bytes; ours are under 200. */
export const maxValueBytes = 4_096;
/** Longest headers, names and values together, in bytes; ours are under 2,000, those of a dead task under 6,000. */
export const maxHeaderBytes = 8_192;
/** Longest key, in bytes; ours are ids. */
export const maxKeyBytes = 255;

/** What of a message is larger than anybody sends or reads; undefined if nothing is. */
export function sizeProblem(
  { key, headers }: { readonly key: string | null; readonly headers: MessageHeaders },
  valueBytes: number,
): string | undefined {
  if (valueBytes > maxValueBytes) return `the value is longer than ${maxValueBytes} bytes`;
  if (key !== null && Buffer.byteLength(key) > maxKeyBytes) return `the key is longer than ${maxKeyBytes} bytes`;
  return headerBytes(headers) > maxHeaderBytes ? `the headers are longer than ${maxHeaderBytes} bytes` : undefined;
}

/** What a header counts for, in bytes. */
export function bytesOfHeader([name, text]: readonly [string, string]): number {
  return Buffer.byteLength(name) + Buffer.byteLength(text);
}

function headerBytes(headers: MessageHeaders): number {
  return Object.entries(headers).reduce((sum, header) => sum + bytesOfHeader(header), 0);
}
