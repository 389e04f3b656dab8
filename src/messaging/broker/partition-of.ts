/** Which of `count` partitions keeps the messages of a key in order. Every process and version must come to the same. */
export function partitionOf(key: string, count: number): number {
  return hashOf(key) % count;
}

/** FNV-1a over UTF-8, 32 bits. */
function hashOf(text: string): number {
  return Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}
