import type { OmittedKind } from '../../writing/omissions.js';
import { omitted } from '../ooxml/omitted.js';
import type { NoteKind } from '../word-processing/notes.js';
import type { PieceTarget } from '../word-processing/piece-target.js';
import { dead, Gathered, type Destination } from './destinations.js';
import { RtfCharacters } from './rtf-characters.js';
import type { RtfFacts } from './rtf-facts.js';
import type { RtfFont } from './rtf-fonts.js';
import { RtfFlow } from './rtf-flow.js';
import { plainParagraph, type RtfState } from './rtf-state.js';
import { RowDraft } from './row-draft.js';
import { RtfTokens, type RtfTokenKind } from './rtf-tokens.js';
import { wordReaders } from './words/word-readers.js';

interface OpenGroup {
  readonly outer: RtfState;
  /** Called when it has ended, with the state that held in it. */
  readonly ends: ((inner: RtfState) => void)[];
}

/** Words that go on with the characters before them. */
const characterSigns: ReadonlySet<string> = new Set(['u', '\\', '{', '}']);

/** Reads the groups and words of an RTF file: what each does to the state that holds until its group ends. */
export class RtfReader {
  state: RtfState;
  row = new RowDraft();
  /** Where text has no font of its own. */
  defaultFont = 0;
  readonly characters = new RtfCharacters('windows-1252');
  /** The property of a shape that is read. */
  property = { name: '', value: '' };
  /** The note that is read. */
  note: { kind: NoteKind } | undefined;
  readonly noteCounts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  private readonly groups: OpenGroup[] = [];
  /** The next word stands behind the sign of groups that old programs are told to pass over. */
  private isOptional = false;
  private tokens = new RtfTokens(Buffer.alloc(0));

  constructor(
    readonly facts: RtfFacts,
    target: PieceTarget,
  ) {
    const flow = new RtfFlow(target, facts.styles);
    this.state = {
      destination: flow,
      flow,
      font: 0,
      substitutes: 1,
      isHidden: false,
      isDeleted: false,
      isPreview: false,
      paragraph: plainParagraph,
    };
  }

  /** Reads a file to its end. @returns how many of its groups never ended */
  read(bytes: Buffer): number {
    this.tokens = new RtfTokens(bytes);
    let isEnded = false;
    for (let kind = this.tokens.next(); kind !== 'end' && !isEnded; kind = this.tokens.next()) {
      // What comes behind the end of the document is none, unless its groups were not counted well.
      isEnded = kind === 'close' && this.groups.length <= 1 && this.tokens.isAtEnd;
      if (!isEnded) this.step(kind);
    }
    const open = isEnded ? 0 : this.groups.length;
    this.end();
    return open;
  }

  set(change: Partial<RtfState>): void {
    this.state = { ...this.state, ...change };
  }

  setParagraph(change: Partial<RtfState['paragraph']>): void {
    this.set({ paragraph: { ...this.state.paragraph, ...change } });
  }

  /** Does something when the group has ended. */
  atEnd(end: (inner: RtfState) => void): void {
    this.groups.at(-1)?.ends.push(end);
  }

  /** Sends the text of the group elsewhere. */
  enter(destination: Destination): void {
    this.set({ destination });
  }

  /** Gathers the text of the group, and hands it over when it has ended. */
  gather(take: (text: string) => void): void {
    const gathered = new Gathered();
    this.enter(gathered);
    this.atEnd(() => take(gathered.text));
  }

  /** Begins a text of its own, which is over when the group has ended. */
  enterFlow(target: PieceTarget): void {
    const flow = new RtfFlow(target, this.facts.styles);
    this.set({ destination: flow, flow, paragraph: plainParagraph });
    this.atEnd(({ paragraph }) => flow.end(paragraph));
  }

  /** Writes text to where it goes, if it is shown. */
  write(text: string): void {
    if (text === '') return;
    const { destination, isHidden, isDeleted } = this.state;
    if (!(destination instanceof RtfFlow)) destination.write?.(text);
    else if (isDeleted) this.omit(omitted.deletions, text);
    else if (isHidden) this.omit(omitted.hiddenText, text);
    else destination.write(text);
  }

  /** Writes bytes as characters of the font that holds here. */
  writeBytes(bytes: Buffer): void {
    this.write(this.characters.text(bytes, this.font));
  }

  get font(): RtfFont {
    return this.facts.fonts.get(this.state.font);
  }

  /** The text that ends of paragraphs and cells belong to; none in groups that are no text. */
  get openFlow(): RtfFlow | undefined {
    const { destination } = this.state;
    return destination instanceof RtfFlow ? destination : undefined;
  }

  /** Tells of text that is left out. */
  omit(kind: OmittedKind, text: string): void {
    const words = text.replace(/\s+/g, ' ').trim();
    if (words !== '') this.facts.omissions.add(kind, { text: words });
  }

  /** Ends all groups, and the last paragraph as what it is in the outermost of them. */
  private end(): void {
    this.write(this.characters.flush());
    let { paragraph } = this.state;
    while (this.groups.length > 0) {
      ({ paragraph } = this.state);
      this.closeGroup();
    }
    this.state.flow.end(paragraph);
  }

  private step(kind: RtfTokenKind): void {
    const { destination } = this.state;
    if (kind === 'open') this.openGroup();
    else if (kind === 'close') this.closeGroup();
    else if (destination.isDead) return;
    else if (kind === 'word') this.takeWord();
    else if (!destination.write) return;
    else if (kind === 'byte') this.write(this.characters.code(this.tokens.byte, this.font));
    else this.writeBytes(this.tokens.bytes.subarray(this.tokens.start, this.tokens.end));
  }

  private openGroup(): void {
    if (!this.state.destination.isDead) this.write(this.characters.flush());
    this.groups.push({ outer: this.state, ends: [] });
    this.isOptional = false;
  }

  private closeGroup(): void {
    if (!this.state.destination.isDead) this.write(this.characters.flush());
    const group = this.groups.pop();
    if (!group) return;
    const inner = this.state;
    this.state = group.outer;
    // What was begun last ends first.
    for (const end of group.ends.reverse()) end(inner);
  }

  private takeWord(): void {
    const { word, number } = this.tokens;
    if (this.characters.pass()) return;
    if (!characterSigns.has(word)) this.write(this.characters.flush());
    const read = wordReaders.get(word);
    const isOptional = this.isOptional && word !== '*';
    this.isOptional = word === '*';
    if (isOptional && !read) this.enter(dead);
    else if (!this.state.destination.say?.(word, number)) read?.(this, number);
  }
}
