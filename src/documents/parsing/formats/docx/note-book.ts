import { roman } from '../../writing/roman.js';
import type { Note, NoteKind, NoteSource } from '../word-processing/notes.js';

/** The notes of a document: numbered as they are mentioned, and given out once each. */
export class NoteBook implements NoteSource {
  private readonly texts = new Map<string, string>();
  private readonly labels = new Map<string, string>();
  private readonly mentions: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  private waiting: { readonly kind: NoteKind; readonly note: Note }[] = [];

  keep(kind: NoteKind, id: string, text: string): void {
    this.texts.set(`${kind} ${id}`, text);
  }

  /** @returns the mark for the place that mentions it; nothing if there is no such note */
  mention(kind: NoteKind, id: string): string {
    const key = `${kind} ${id}`;
    const text = this.texts.get(key);
    if (text === undefined) return '';
    const known = this.labels.get(key);
    if (known !== undefined) return known;
    const number = (this.mentions[kind] += 1);
    // Word numbers endnotes in roman digits, which keeps the two apart.
    const label = kind === 'footnote' ? String(number) : roman(number).toLowerCase() || `e${number}`;
    this.labels.set(key, label);
    this.waiting.push({ kind, note: { label, text } });
    return label;
  }

  /** Notes that were mentioned since they were last taken. */
  take(kind: NoteKind): Note[] {
    const taken = this.waiting.filter((one) => one.kind === kind);
    this.waiting = this.waiting.filter((one) => one.kind !== kind);
    return taken.map(({ note }) => note);
  }
}
