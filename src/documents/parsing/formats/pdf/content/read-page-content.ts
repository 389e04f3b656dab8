import type { PdfJs } from '../library/load-pdfjs.js';
import { ContentMarks } from './content-marks.js';
import type { FontTraits } from './font-traits.js';
import { initialState, StateStack, startOfText, type TextPosition } from './graphics-state.js';
import { matrixOf, multiply, type Matrix } from './matrix.js';
import type { PageContent } from './page-content.js';
import { PieceJoiner } from './piece-joiner.js';
import { RulePainter } from './rule-painter.js';
import { TextPainter } from './text-painter.js';

type Operators = PdfJs['OPS'];
type Arguments = readonly unknown[];
type Handler = (args: Arguments) => void;

/** A page as the library hands it out, and how it is seen. */
export interface PageSource {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** From the page's own coordinates to those it is seen in. */
  readonly transform: Matrix;
  readonly operations: readonly number[];
  readonly args: readonly unknown[];
  font(name: string): FontTraits;
  /** Whether a layer is switched on. */
  isShown(layer: unknown): boolean;
}

/** What the page shows: its operators are followed as if it were painted. */
export function readPageContent(source: PageSource, operators: Operators): PageContent {
  const reader = new PageReader(source, operators);
  return reader.read();
}

class PageReader {
  private readonly joiner = new PieceJoiner();
  private readonly texts: TextPainter;
  private readonly rules: RulePainter;
  private readonly states: StateStack;
  private position: TextPosition = startOfText();
  private readonly marks: ContentMarks;
  private hidden = 0;
  private readonly handlers: ReadonlyMap<number, Handler>;

  constructor(
    private readonly source: PageSource,
    private readonly operators: Operators,
  ) {
    this.texts = new TextPainter(this.joiner, source);
    this.rules = new RulePainter(operators);
    this.marks = new ContentMarks((layer) => source.isShown(layer));
    this.states = new StateStack(initialState(source.transform));
    this.handlers = new Map([
      ...this.stateHandlers(),
      ...this.textHandlers(),
      ...this.pathHandlers(),
      ...this.markHandlers(),
    ]);
  }

  read(): PageContent {
    const { operations, args, number, width, height } = this.source;
    for (const [i, operation] of operations.entries()) {
      const given = args[i];
      this.handlers.get(operation)?.(Array.isArray(given) ? (given as Arguments) : []);
    }
    return {
      number,
      width,
      height,
      texts: this.joiner.finish(),
      rules: this.rules.finish(),
      unknownCharacters: this.texts.unknown,
      hiddenCharacters: this.hidden,
    };
  }

  private stateHandlers(): [number, Handler][] {
    const { save, restore, transform, setGState, paintFormXObjectBegin, paintFormXObjectEnd } = this.operators;
    const { beginAnnotation, endAnnotation } = this.operators;
    const enter = (...maps: unknown[]): void => {
      this.states.save();
      for (const map of maps) this.transform(map);
    };
    const leave = (): void => this.states.restore();
    return [
      [save, () => enter()],
      [restore, leave],
      [transform, (args) => this.transform(args)],
      [setGState, ([entries]) => this.setFontOf(entries)],
      [paintFormXObjectBegin, ([matrix]) => enter(matrix)],
      [paintFormXObjectEnd, leave],
      [
        beginAnnotation,
        ([, , matrix, further]) => {
          enter();
          this.states.current.transform = this.source.transform;
          this.transform(matrix);
          this.transform(further);
        },
      ],
      [endAnnotation, leave],
    ];
  }

  private textHandlers(): [number, Handler][] {
    const { operators: on } = this;
    const set = (key: 'letterSpacing' | 'wordSpacing' | 'leading' | 'rise' | 'renderingMode') => {
      return ([value]: Arguments): void => void (this.states.current[key] = finite(value));
    };
    return [
      [on.beginText, () => void (this.position = startOfText())],
      [on.setTextMatrix, (args) => void (this.position = startOfText(matrixOf(args)))],
      [on.moveText, ([x, y]) => this.moveBy(finite(x), finite(y))],
      [
        on.setLeadingMoveText,
        ([x, y]) => {
          this.states.current.leading = -finite(y);
          this.moveBy(finite(x), finite(y));
        },
      ],
      [on.nextLine, () => this.moveBy(0, -this.states.current.leading)],
      [on.setLeading, set('leading')],
      [on.setCharSpacing, set('letterSpacing')],
      [on.setWordSpacing, set('wordSpacing')],
      [on.setTextRise, set('rise')],
      [on.setTextRenderingMode, set('renderingMode')],
      [on.setHScale, ([percent]) => void (this.states.current.stretch = finite(percent) / 100)],
      [on.setFont, ([name, size]) => this.setFont(name, size)],
      [on.showText, ([glyphs]) => this.show(glyphs)],
    ];
  }

  private pathHandlers(): [number, Handler][] {
    const { operators: on, rules } = this;
    const stroke = (): void => rules.stroke();
    const fill = (): void => rules.fill();
    return [
      [on.constructPath, (args) => rules.construct(args, this.states.current)],
      ...[on.stroke, on.closeStroke, on.fillStroke, on.eoFillStroke, on.closeFillStroke, on.closeEOFillStroke].map(
        (operator): [number, () => void] => [operator, stroke],
      ),
      [on.fill, fill],
      [on.eoFill, fill],
      [on.endPath, () => rules.drop()],
    ];
  }

  private markHandlers(): [number, Handler][] {
    const { operators: on, marks } = this;
    const begin: Handler = ([tag, layer]) => marks.begin(tag, layer);
    return [
      [on.beginMarkedContent, begin],
      [on.beginMarkedContentProps, begin],
      [on.endMarkedContent, () => marks.end()],
      [on.beginGroup, ([group]) => marks.beginGroup(group)],
      [on.endGroup, () => marks.endGroup()],
    ];
  }

  private transform(map: unknown): void {
    const matrix = matrixOf(map);
    if (matrix) this.states.current.transform = multiply(this.states.current.transform, matrix);
  }

  private moveBy(x: number, y: number): void {
    const { position } = this;
    position.x = position.lineX += x;
    position.y = position.lineY += y;
  }

  private setFont(name: unknown, size: unknown): void {
    if (typeof name === 'string') this.states.current.font = this.source.font(name);
    this.states.current.fontSize = finite(size);
  }

  private setFontOf(entries: unknown): void {
    if (!Array.isArray(entries)) return;
    for (const [key, value] of entries.filter(Array.isArray) as unknown[][]) {
      if (key === 'Font' && Array.isArray(value)) this.setFont(value[0], value[1]);
    }
  }

  private show(glyphs: unknown): void {
    if (!Array.isArray(glyphs) || this.marks.isMask) return;
    if (this.marks.isHidden) this.hidden += glyphs.filter((glyph) => typeof glyph === 'object').length;
    else this.texts.show(glyphs, this.states.current, this.position, this.marks.isArtifact);
  }
}

function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
