import type { DocumentWriter } from './document-writer.js';
import { oneLine } from './markdown-lines.js';

const longestSample = 60;
/** Units kept for it: a code point has at most two. */
const sampleUnits = 2 * longestSample + 2;
const mostPlaces = 10;

/** What one kind of omission is called: "2 comments", "1 comment". */
export interface OmittedKind {
  readonly code: string;
  readonly one: string;
  readonly many: string;
  /** What became of it; left out if absent. */
  readonly became?: string;
}

/** Number of a page or slide, name of a sheet. */
type Place = number | string;

export interface Sighting {
  /** What is left out, where it is text. */
  readonly text?: string;
  readonly place?: Place;
  /** More than one of its kind at once. */
  readonly count?: number;
}

interface Omitted {
  readonly kind: OmittedKind;
  count: number;
  chars: number;
  sample: string;
  readonly places: Set<Place>;
}

/** Counts what is left out of a text or worth knowing of it, and tells of each kind in one warning: how many, how much, where, how it begins. */
export class Omissions {
  private readonly kinds = new Map<string, Omitted>();

  add(kind: OmittedKind, { text = '', place, count = 1 }: Sighting = {}): void {
    const known = this.kinds.get(kind.code) ?? { kind, count: 0, chars: 0, sample: '', places: new Set<Place>() };
    this.kinds.set(kind.code, known);
    known.count += count;
    known.chars += text.length;
    if (known.sample.length < sampleUnits && text !== '')
      known.sample = `${known.sample} ${text.slice(0, sampleUnits)}`.trim();
    if (place !== undefined && known.places.size <= mostPlaces) known.places.add(place);
  }

  /** @param placeName what places are called: "page". */
  tell(out: DocumentWriter, placeName = 'page'): void {
    for (const { kind, count, chars, sample, places } of this.kinds.values()) {
      const what = count === 1 ? `1 ${kind.one} was` : `${count} ${kind.many} were`;
      const size = chars > 0 ? `, ${chars} character${chars === 1 ? '' : 's'}` : '';
      out.warn(
        kind.code,
        `${what} ${kind.became ?? 'left out'}${wherePlaces([...places], placeName)}${size}${beginning(sample)}.`,
      );
    }
  }
}

function wherePlaces(places: readonly Place[], name: string): string {
  if (places.length === 0) return '';
  const listed = places
    .slice(0, mostPlaces)
    .map((place) => (typeof place === 'string' ? `"${shortened(place)}"` : place))
    .join(', ');
  return ` (${places.length === 1 ? name : `${name}s`} ${listed}${places.length > mostPlaces ? ', …' : ''})`;
}

function beginning(sample: string): string {
  const line = oneLine(sample);
  if (line === '') return '';
  return `: "${shortened(line)}"`;
}

function shortened(line: string): string {
  const points = [...line];
  return points.length > longestSample ? `${points.slice(0, longestSample).join('')}…` : line;
}
