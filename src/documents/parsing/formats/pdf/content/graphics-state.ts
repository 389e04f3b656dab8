import type { FontTraits } from './font-traits.js';
import { identity, type Matrix } from './matrix.js';

/** What operators of a page set for those that follow; `save` and `restore` keep it and bring it back. */
export interface GraphicsState {
  transform: Matrix;
  font: FontTraits | undefined;
  fontSize: number;
  letterSpacing: number;
  wordSpacing: number;
  /** Width of the text to its usual width. */
  stretch: number;
  leading: number;
  rise: number;
  renderingMode: number;
}

/** The state at the start of a page that is seen through `transform`. */
export function initialState(transform: Matrix): GraphicsState {
  return {
    transform,
    font: undefined,
    fontSize: 0,
    letterSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    renderingMode: 0,
  };
}

/** Deeper ones are a loop or an attack; what they would set is not kept apart. */
const deepest = 500;

/** The state with those that wait to be restored. */
export class StateStack {
  private readonly saved: GraphicsState[] = [];

  constructor(public current: GraphicsState) {}

  save(): void {
    if (this.saved.length < deepest) this.saved.push({ ...this.current });
  }

  restore(): void {
    this.current = this.saved.pop() ?? this.current;
  }
}

/** Where the next glyph goes, in the units of a text object. */
export interface TextPosition {
  matrix: Matrix;
  lineX: number;
  lineY: number;
  x: number;
  y: number;
}

/** The position at the start of a text object, or after its matrix was set. */
export function startOfText(matrix: Matrix = identity): TextPosition {
  return { matrix, lineX: 0, lineY: 0, x: 0, y: 0 };
}
