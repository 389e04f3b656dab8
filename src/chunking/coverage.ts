import type { Chunk, Coverage, Omission } from '../domain/text/chunk.js';
import { countVisible } from './text/visible.js';
import type { CodePoints } from './text/code-points.js';

type Span = Pick<Chunk, 'charStart' | 'charEnd'>;

/** Reason of a stretch that is missing although nobody said so. */
const lost = 'lost';

/**
 * Proves from the finished chunks alone that nothing is lost: every code point that is not blank is in a parent and in
 * a child, or in one of the omissions. Whatever is not is listed as lost, and the coverage is not complete.
 *
 * @param omissions in order and without overlaps.
 */
export function proveCoverage(
  text: string,
  points: CodePoints,
  chunks: { readonly parents: readonly Span[]; readonly children: readonly Span[] },
  omissions: readonly Omission[],
): Coverage {
  const held = intersect(union(chunks.parents), union(chunks.children));
  const visibleIn = ({ charStart, charEnd }: Span): number =>
    countVisible(text, points.unitAt(charStart), points.unitAt(charEnd));
  const sum = (spans: readonly Span[]): number => spans.reduce((total, span) => total + visibleIn(span), 0);
  const apart = gaps(held, points.length);
  const unexplained = omissions.length === 0 ? apart : gaps(union(inOrder([...held, ...omissions])), points.length);
  const missing = unexplained.filter((gap) => visibleIn(gap) > 0);
  return {
    complete: missing.length === 0,
    coveredChars: countVisible(text, 0, text.length) - sum(apart),
    omittedChars: sum(omissions) + sum(missing),
    omissions: inOrder([...omissions, ...missing.map((gap) => ({ ...gap, reason: lost }))]),
  };
}

function inOrder<Each extends Span>(spans: Each[]): Each[] {
  return spans.sort((one, other) => one.charStart - other.charStart);
}

/** @param spans in the order of their starts. */
function union(spans: readonly Span[]): Span[] {
  const united: { charStart: number; charEnd: number }[] = [];
  for (const { charStart, charEnd } of spans) {
    const last = united.at(-1);
    if (last && charStart <= last.charEnd) last.charEnd = Math.max(last.charEnd, charEnd);
    else united.push({ charStart, charEnd });
  }
  return united;
}

function intersect(one: readonly Span[], other: readonly Span[]): Span[] {
  const shared: Span[] = [];
  for (let left = 0, right = 0; left < one.length && right < other.length;) {
    const [a, b] = [one[left], other[right]];
    if (!a || !b) break;
    const span = { charStart: Math.max(a.charStart, b.charStart), charEnd: Math.min(a.charEnd, b.charEnd) };
    if (span.charStart < span.charEnd) shared.push(span);
    if (a.charEnd <= b.charEnd) left += 1;
    else right += 1;
  }
  return shared;
}

function gaps(spans: readonly Span[], length: number): Span[] {
  const between: Span[] = [];
  let place = 0;
  for (const { charStart, charEnd } of [...spans, { charStart: length, charEnd: length }]) {
    if (charStart > place) between.push({ charStart: place, charEnd: charStart });
    place = Math.max(place, charEnd);
  }
  return between;
}
