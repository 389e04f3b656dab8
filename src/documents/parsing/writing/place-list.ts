import { shortened } from './shortened.js';

/** Number of a page or slide, name of a sheet. */
export type Place = number | string;

interface NumberRange {
  readonly from: number;
  to: number;
}

const mostPlaces = 10;

/** Places where something was seen, in the order in which they were first seen; numbers that follow each other as one. */
export class PlaceList {
  private readonly places = new Map<Place, NumberRange | string>();
  private last: NumberRange | undefined;
  private isCut = false;

  add(place: Place): void {
    if (typeof place === 'string') return this.put(place, place);
    const { last } = this;
    if (last && place >= last.from && place <= last.to) return;
    if (last && place === last.to + 1) last.to = place;
    else this.put(place, { from: place, to: place });
  }

  /** @param name what a place is called: "page". */
  toText(name: string): string {
    const listed = [...this.places.values()].map((place) =>
      typeof place === 'string' ? `"${shortened(place)}"` : rangeText(place),
    );
    const isOne = listed.length === 1 && !/[,–]/.test(listed[0] ?? '') && !this.isCut;
    return `${isOne ? name : `${name}s`} ${listed.join(', ')}${this.isCut ? ', …' : ''}`;
  }

  get isEmpty(): boolean {
    return this.places.size === 0;
  }

  private put(key: Place, place: NumberRange | string): void {
    if (this.places.has(key)) return;
    if (this.places.size === mostPlaces) this.isCut = true;
    else this.places.set(key, place);
    this.last = typeof place === 'string' || this.isCut ? undefined : place;
  }
}

function rangeText({ from, to }: NumberRange): string {
  return from === to ? `${from}` : `${from}–${to}`;
}
