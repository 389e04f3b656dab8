import { unzipSync, zipSync } from 'fflate';

/** Numbers below a bound, the same ones for the same seed (mulberry32, by Tommy Ettinger, public domain). */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Mutation = (bytes: Uint8Array, random: (below: number) => number) => Uint8Array;

const flipped: Mutation = (bytes, random) => {
  const changed = Uint8Array.from(bytes);
  for (let left = 1 + random(8); left > 0; left -= 1) changed[random(changed.length)] = random(256);
  return changed;
};
const cutOff: Mutation = (bytes, random) => bytes.subarray(0, random(bytes.length));
const withoutPiece: Mutation = (bytes, random) => {
  const start = random(bytes.length);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random(64))]);
};
const doubledPiece: Mutation = (bytes, random) => {
  const start = random(bytes.length);
  const piece = bytes.subarray(start, start + 1 + random(200));
  return Buffer.concat([
    bytes.subarray(0, start),
    ...Array.from({ length: 1 + random(50) }, () => piece),
    bytes.subarray(start),
  ]);
};
const mutations = [flipped, cutOff, withoutPiece, doubledPiece] as const;

/** Changes bytes in one way; of an archive, as often as not, a part instead of the archive itself. */
export function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const change = mutations[random(mutations.length)] ?? flipped;
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || random(2) === 0) return change(bytes, random);
  const parts = unzipSync(bytes);
  const names = Object.keys(parts);
  const name = names[random(names.length)] ?? '';
  const part = parts[name];
  return zipSync({ ...parts, ...(part && part.length > 0 ? { [name]: change(part, random) } : {}) });
}
