import type { DocumentWriter } from './document-writer.js';
import { oneLine } from './markdown-lines.js';
import { PlaceList, type Place } from './place-list.js';
import { longestSample, shortened } from './shortened.js';

/** Units kept for it: a code point has at most two. */
const sampleUnits = 2 * longestSample + 2;

/** What one kind of omission is called: "2 comments", "1 comment". */
export interface OmittedKind {
  readonly code: string;
  readonly one: string;
  readonly many: string;
  /** What became of it; left out if absent. */
  readonly became?: string;
}

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
  readonly places: PlaceList;
}

/** Counts what is left out of a text or worth knowing of it, and tells of each kind in one warning: how many, how much, where, how it begins. */
export class Omissions {
  private readonly kinds = new Map<string, Omitted>();

  add(kind: OmittedKind, { text = '', place, count = 1 }: Sighting = {}): void {
    const key = `${kind.code} ${kind.many} ${kind.became ?? ''}`;
    const known = this.kinds.get(key) ?? { kind, count: 0, chars: 0, sample: '', places: new PlaceList() };
    this.kinds.set(key, known);
    known.count += count;
    known.chars += text.length;
    if (known.sample.length < sampleUnits && text !== '')
      known.sample = `${known.sample} ${text.slice(0, sampleUnits)}`.trim();
    if (place !== undefined) known.places.add(place);
  }

  /** @param placeName what places are called: "page". */
  tell(out: DocumentWriter, placeName = 'page'): void {
    for (const { kind, count, chars, sample, places } of this.kinds.values()) {
      const what = count === 1 ? `1 ${kind.one} was` : `${count} ${kind.many} were`;
      const size = chars > 0 ? `, ${chars} character${chars === 1 ? '' : 's'}` : '';
      const where = places.isEmpty ? '' : ` (${places.toText(placeName)})`;
      out.warn(kind.code, `${what} ${kind.became ?? 'left out'}${where}${size}${beginning(sample)}.`);
    }
  }
}

function beginning(sample: string): string {
  const line = oneLine(sample);
  if (line === '') return '';
  return `: "${shortened(line)}"`;
}
