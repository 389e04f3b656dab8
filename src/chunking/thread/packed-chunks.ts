import { setImmediate } from 'node:timers/promises';
import { Level } from '../../domain/plan/strategy.js';
import type { Chunk, Coverage, CutResult } from '../../domain/text/chunk.js';
import { CodePoints } from '../text/code-points.js';

const width = 12;
const absent = -1;
/** Chunks made before other work gets its turn. */
const batch = 2_000;

/**
 * Chunks without their texts: numbers in one array, and what repeats in lists beside it. The thread that holds the text
 * makes the chunks of them.
 */
export interface PackedChunks {
  readonly columns: Int32Array;
  readonly rules: readonly string[];
  readonly paths: readonly (readonly string[])[];
  readonly headers: readonly string[];
  readonly pages: readonly (readonly number[])[];
}

/** What cutting gives, packed for the way between threads. */
export interface PackedCut {
  readonly parents: PackedChunks;
  readonly children: PackedChunks;
  readonly coverage: Coverage;
}

export function packCut(cut: CutResult, text: string): PackedCut {
  const points = new CodePoints(text);
  return { parents: pack(cut.parents, points), children: pack(cut.children, points), coverage: cut.coverage };
}

/** Makes the chunks again, and lets the event loop turn meanwhile. */
export async function unpackCut(packed: PackedCut, text: string): Promise<CutResult> {
  return {
    parents: await unpack(packed.parents, Level.Parent, text),
    children: await unpack(packed.children, Level.Child, text),
    coverage: packed.coverage,
  };
}

function pack(chunks: readonly Chunk[], points: CodePoints): PackedChunks {
  const columns = new Int32Array(chunks.length * width);
  const [rules, paths, headers, pages] = [
    new Lookup<string>(),
    new Lookup<readonly string[]>(),
    new Lookup<string>(),
    new Lookup<readonly number[]>(),
  ];
  chunks.forEach((chunk, index) => {
    const header = chunk.context?.tableHeader;
    columns.set(
      [
        chunk.charStart,
        chunk.charEnd,
        points.unitAt(chunk.charStart),
        points.unitAt(chunk.charEnd),
        chunk.tokens,
        chunk.overlapStart,
        chunk.parentOrdinal ?? absent,
        chunk.forced ? 1 : 0,
        rules.indexOf(chunk.rule, chunk.rule),
        paths.indexOf(chunk.headingPath, JSON.stringify(chunk.headingPath)),
        header === undefined ? absent : headers.indexOf(header, header),
        chunk.pages ? pages.indexOf(chunk.pages, chunk.pages.join()) : absent,
      ],
      index * width,
    );
  });
  return { columns, rules: rules.values, paths: paths.values, headers: headers.values, pages: pages.values };
}

async function unpack(packed: PackedChunks, level: Level, text: string): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const count = packed.columns.length / width;
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    if (ordinal > 0 && ordinal % batch === 0) await setImmediate();
    chunks.push(chunkAt(packed, level, ordinal, text));
  }
  return chunks;
}

function chunkAt(
  { columns, rules, paths, headers, pages }: PackedChunks,
  level: Level,
  ordinal: number,
  text: string,
): Chunk {
  const at = (column: number): number => columns[ordinal * width + column] ?? absent;
  const [parentOrdinal, header, page] = [at(6), headers[at(10)], pages[at(11)]];
  return {
    level,
    ordinal,
    ...(parentOrdinal === absent ? {} : { parentOrdinal }),
    charStart: at(0),
    charEnd: at(1),
    text: text.slice(at(2), at(3)),
    tokens: at(4),
    overlapStart: at(5),
    headingPath: paths[at(9)] ?? [],
    ...(header === undefined ? {} : { context: { tableHeader: header } }),
    rule: rules[at(8)] ?? '',
    ...(at(7) === 1 ? { forced: true } : {}),
    ...(page ? { pages: page } : {}),
  };
}

/** Values without repetition, by number. */
class Lookup<Value> {
  readonly values: Value[] = [];
  private readonly known = new Map<string, number>();

  indexOf(value: Value, key: string): number {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.known.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** The arrays that move to the other thread instead of being copied. */
export function transfersOf(packed: PackedCut): ArrayBuffer[] {
  return [packed.parents.columns.buffer, packed.children.columns.buffer] as ArrayBuffer[];
}
