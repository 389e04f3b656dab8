const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  // Before UTF-16, whose mark is how this one begins.
  ['utf-32le', [0xff, 0xfe, 0x00, 0x00]],
  ['utf-32be', [0x00, 0x00, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark names, and the length of the mark. */
export function markedEncoding(bytes: Uint8Array): { encoding: string; length: number } | undefined {
  for (const [encoding, mark] of marks) {
    if (mark.every((byte, i) => bytes[i] === byte)) return { encoding, length: mark.length };
  }
  return undefined;
}
