import type { Omissions } from '../../writing/omissions.js';
import { pictureText } from '../../writing/picture-text.js';
import {
  beyondHeadings,
  codeLanguage,
  embedded,
  isHidden,
  isLineNumbers,
  pagePart,
  plainBlocks,
  unseen,
} from './element-kinds.js';
import type { HtmlAttributes, TagHandler } from './html-tags.js';
import { OpenElements, type Leave } from './open-elements.js';
import { omitted } from './page-omissions.js';
import { PageFlow } from './page-flow.js';
import { PageLists } from './page-lists.js';
import { PageNotes } from './page-notes.js';
import { PageTables } from './page-tables.js';

type Enter = (attributes: HtmlAttributes) => Leave | undefined | void;

/** Text that is not read, and what tells of it; nothing does for scripts and the like. */
interface Muted {
  readonly tell?: (text: string) => void;
  text: string;
  readonly isSvg: boolean;
}

const mostMutedText = 1_000_000;

/** Reads the elements of one page: what each means for the text, and what of it nobody sees. */
export class PageReader implements TagHandler {
  readonly flow = new PageFlow();
  /** What the page calls itself. */
  title = '';
  private readonly elements = new OpenElements();
  private readonly lists = new PageLists(this.flow);
  private readonly tables = new PageTables(this.flow);
  private readonly notes = new PageNotes(this.flow);
  private muted: Muted | undefined;
  private foreign = 0;
  private parts = 0;
  private readonly enterings: ReadonlyMap<string, Enter>;

  /** @param place of the page among others. */
  constructor(
    private readonly omissions: Omissions,
    private readonly place?: number,
  ) {
    this.enterings = this.listEnterings();
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (this.muted?.isSvg && (plainBlocks.has(name) || beyondHeadings.has(name))) this.elements.close('svg');
    this.elements.makeWay(name);
    if (this.muted) this.openMuted(name);
    else this.openSeen(name, attributes);
  }

  close(name: string): void {
    if (name === 'br') this.open(name, new Map());
    else this.elements.close(name);
  }

  text(text: string): void {
    const { muted } = this;
    if (!muted) this.flow.text(this.notes.before(text));
    else if (muted.tell && muted.text.length < mostMutedText) muted.text += text;
  }

  isForeign(): boolean {
    return this.foreign > 0;
  }

  /** Ends whatever is open. */
  finish(): void {
    this.elements.closeAll();
  }

  private openMuted(name: string): void {
    // The words of a drawing are seen, and pages within it.
    const isSeen = this.muted?.isSvg && (name === 'text' || name === 'foreignobject');
    this.elements.push(name, isSeen ? this.unmute() : undefined);
  }

  private openSeen(name: string, attributes: HtmlAttributes): void {
    if (isHidden(name, attributes)) this.elements.push(name, this.mute({ tell: this.telling('hidden') }));
    else if (isLineNumbers(attributes)) this.elements.push(name, this.mute({ tell: this.telling('lineNumbers') }));
    else {
      if (beyondHeadings.has(name)) this.flow.endHeading();
      const leaves = [this.enterPart(name, attributes), this.enterElement(name, attributes)];
      const leave = leaves.some((each) => each) ? (): void => leaves.reverse().forEach((each) => each?.()) : undefined;
      // Elements that mean nothing to the text need no end.
      if (leave) this.elements.push(name, leave);
    }
  }

  private enterPart(name: string, attributes: HtmlAttributes): Leave | undefined {
    const note = this.notes.beginNote(name, attributes);
    if (note) return note;
    const part = pagePart(name, attributes, this.parts > 0);
    if (part === undefined) return undefined;
    const leave = part === 'section' ? this.flow.beginBlock() : this.flow.beginPart(part);
    this.parts += 1;
    return () => {
      this.parts -= 1;
      leave();
    };
  }

  private enterElement(name: string, attributes: HtmlAttributes): Leave | undefined {
    if (embedded.has(name)) this.omit('embedded');
    if (unseen.has(name)) return this.mute({});
    if (attributes.get('role') === 'heading')
      return this.flow.begin({ level: Number(attributes.get('aria-level')) || 2 });
    const enter = this.enterings.get(name);
    if (enter) return enter(attributes) ?? undefined;
    return plainBlocks.has(name) ? this.flow.beginBlock() : undefined;
  }

  private mute({ tell, isSvg = false }: { readonly tell?: Muted['tell']; readonly isSvg?: boolean }): Leave {
    this.muted = { ...(tell ? { tell } : {}), text: '', isSvg };
    const { muted } = this;
    return () => {
      muted.tell?.(muted.text);
      this.muted = undefined;
    };
  }

  private unmute(): Leave {
    const { muted } = this;
    this.muted = undefined;
    const leave = this.flow.beginBlock();
    return () => {
      leave();
      this.muted = muted;
    };
  }

  private telling(kind: keyof typeof omitted): (text: string) => void {
    return (text) => {
      if (text.trim() !== '') this.omit(kind, text.replace(/\s+/g, ' ').trim());
    };
  }

  private omit(kind: keyof typeof omitted, text = ''): void {
    this.omissions.add(omitted[kind], { text, ...(this.place === undefined ? {} : { place: this.place }) });
  }

  private enterForeign(isSvg: boolean): Leave {
    this.foreign += 1;
    const leave = isSvg ? this.mute({ isSvg }) : undefined;
    return () => {
      this.foreign -= 1;
      leave?.();
    };
  }

  private enterMath(attributes: HtmlAttributes): Leave {
    const leave = this.enterForeign(false);
    const spoken = attributes.get('alttext')?.trim() ?? '';
    if (spoken === '') return leave;
    this.flow.text(spoken);
    const unmute = this.mute({});
    return () => {
      unmute();
      leave();
    };
  }

  private enterPicture(attributes: HtmlAttributes): void {
    const text = pictureText(attributes.get('alt'));
    this.omit('pictures');
    if (text === '') return;
    this.flow.inline.space();
    this.flow.text(text);
    this.flow.inline.space();
  }

  private enterTitle(): Leave {
    this.flow.endBlock();
    return this.mute({ tell: (text) => (this.title ||= text.replace(/\s+/g, ' ').trim()) });
  }

  private enterCode(attributes: HtmlAttributes): Leave {
    const leave = this.flow.beginCode();
    this.flow.nameLanguage(codeLanguage(attributes));
    return leave;
  }

  private listEnterings(): ReadonlyMap<string, Enter> {
    const { flow, lists, tables } = this;
    const heading =
      (level: number): Enter =>
      () =>
        flow.begin({ level });
    const apart: Enter = () => {
      flow.inline.space();
      return () => flow.inline.space();
    };
    const form: Enter = () => this.mute({ tell: this.telling('formFields') });
    const list: Enter = (attributes) => lists.beginList(false, attributes);
    const code: Enter = (attributes) => this.enterCode(attributes);
    const between =
      (start: string, end: string): Enter =>
      () => {
        flow.text(start);
        return () => flow.text(end);
      };
    return new Map<string, Enter>([
      ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)] as const),
      ['br', () => flow.lineBreak()],
      ['hr', () => (flow.endBlock(), flow.push({ kind: 'rule' }))],
      ['img', (attributes) => this.enterPicture(attributes)],
      ['title', () => this.enterTitle()],
      ['ul', list],
      ['menu', list],
      ['dir', list],
      ['dl', list],
      ['ol', (attributes) => lists.beginList(true, attributes)],
      ['li', (attributes) => lists.beginItem(attributes)],
      ['dt', () => lists.beginTerm(false)],
      ['dd', () => lists.beginTerm(true)],
      ['table', (attributes) => tables.beginTable(attributes)],
      ['thead', () => tables.beginHead()],
      ['tr', () => tables.beginRow()],
      ['td', (attributes) => tables.beginCell(attributes, false)],
      ['th', (attributes) => tables.beginCell(attributes, true)],
      ['caption', () => flow.begin('caption')],
      ['figcaption', () => flow.begin('caption')],
      ['blockquote', () => flow.beginQuote()],
      ['pre', code],
      ['xmp', code],
      ['listing', code],
      ['code', (attributes) => void flow.nameLanguage(codeLanguage(attributes))],
      ['svg', () => this.enterForeign(true)],
      ['math', (attributes) => this.enterMath(attributes)],
      ['annotation', () => this.mute({})],
      ['annotation-xml', () => this.mute({})],
      ['select', form],
      ['textarea', form],
      // Within code it copies the code.
      ['button', (attributes) => (flow.isInCode ? form(attributes) : apart(attributes))],
      ['label', apart],
      ['q', between('“', '”')],
      ['rt', between('(', ')')],
      ['a', (attributes) => this.notes.beginReference(attributes)],
      ['sup', () => this.notes.beginRaised()],
    ]);
  }
}
