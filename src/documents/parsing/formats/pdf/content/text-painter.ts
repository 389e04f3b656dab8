import { advanceOf, type FontTraits } from './font-traits.js';
import { glyphText } from './glyph-text.js';
import type { GraphicsState, TextPosition } from './graphics-state.js';
import { multiply } from './matrix.js';
import type { GlyphSetting, PieceJoiner } from './piece-joiner.js';

/** A glyph as the library gives it, none of whose members need be what it should be. */
interface Glyph {
  readonly unicode?: unknown;
  readonly width?: unknown;
  readonly isSpace?: unknown;
  readonly vmetric?: unknown;
}

/** How one operator's glyphs lie in the frame of their direction. */
interface Placing {
  readonly font: FontTraits;
  readonly setting: GlyphSetting;
  /** Where they start, along the line. */
  readonly start: number;
  readonly baseline: number;
  /** Points along the line for one unit of the text. */
  readonly along: number;
  isInside(along: number): boolean;
}

/** Modes that draw outlines beside filling: bold for fonts that have no bold. */
const fillAndStroke = 2;
const smallestSize = 0.3;

/** Follows text over a page and hands its glyphs to the joiner. */
export class TextPainter {
  unknown = 0;

  constructor(
    private readonly joiner: PieceJoiner,
    private readonly page: { readonly width: number; readonly height: number },
  ) {}

  /** Paints glyphs and moves on; numbers among them are moves in thousandths of the size. */
  show(items: readonly unknown[], state: GraphicsState, position: TextPosition, isArtifact: boolean): void {
    const { font } = state;
    if (!font) return;
    const placing = this.place(font, state, position, isArtifact);
    const offset = this.walk(items, font, state, placing);
    if (!Number.isFinite(offset)) return;
    if (font.isVertical) position.y -= offset;
    else position.x += offset;
  }

  /** @returns how far the text went, in its own units. */
  private walk(items: readonly unknown[], font: FontTraits, state: GraphicsState, placing?: Placing): number {
    const { fontSize, letterSpacing, wordSpacing } = state;
    const direction = font.isVertical ? -1 : 1;
    const stretch = font.isVertical ? 1 : state.stretch;
    let offset = 0;
    for (const item of items) {
      if (typeof item === 'number') {
        offset -= (direction * item * fontSize * stretch) / 1_000;
        continue;
      }
      if (typeof item !== 'object' || item === null) continue;
      const glyph: Glyph = item;
      const advance = advanceIn(font, glyph) * fontSize * font.widthScale;
      if (placing) this.glyph(glyph, offset, advance * stretch, placing);
      const spacing = letterSpacing + (glyph.isSpace === true ? wordSpacing : 0);
      offset += (advance + direction * spacing) * stretch;
    }
    return offset;
  }

  private glyph(glyph: Glyph, offset: number, advance: number, placing: Placing): void {
    const left = placing.start + Math.min(offset, offset + advance) * placing.along;
    const right = placing.start + Math.max(offset, offset + advance) * placing.along;
    if (!Number.isFinite(left) || !Number.isFinite(right) || !placing.isInside((left + right) / 2)) return;
    const text = glyphText(typeof glyph.unicode === 'string' ? glyph.unicode : '');
    if (text === undefined) this.unknown += 1;
    else if (text === ' ') this.joiner.space();
    else if (text !== '') this.joiner.glyph(text, left, right, placing.baseline, placing.setting);
  }

  /** Undefined where the text is so small or so placed that nobody sees it. */
  private place(
    font: FontTraits,
    state: GraphicsState,
    position: TextPosition,
    isArtifact: boolean,
  ): Placing | undefined {
    const [a, b, c, d, e, f] = multiply(state.transform, position.matrix);
    const { fontSize, stretch } = state;
    const [dx, dy] = font.isVertical ? [-c, -d] : [a, b];
    const sign = !font.isVertical && fontSize * stretch < 0 ? -1 : 1;
    const length = Math.hypot(dx, dy);
    const size = Math.abs(fontSize) * (font.isVertical ? Math.hypot(a, b) : Math.hypot(c, d)) * font.sizeScale;
    if (!(length > 0) || !(size > smallestSize)) return undefined;
    const angle = roundAngle(Math.atan2(sign * dy, sign * dx));
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const x = a * position.x + c * (position.y + state.rise) + e;
    const y = b * position.x + d * (position.y + state.rise) + f;
    const weight = state.renderingMode % 4 === fillAndStroke ? 2 : font.weight;
    const tracking = state.letterSpacing * stretch * length;
    const { width, height } = this.page;
    return {
      font,
      setting: { angle, size, weight, isMono: font.isMono, isArtifact, tracking },
      start: x * cos + y * sin,
      // The line of a vertical text runs through the middle of its letters.
      baseline: y * cos - x * sin + (font.isVertical ? 0.35 * size : 0),
      along: sign * length,
      isInside: (along) => {
        const [px, py] = [x + (along - (x * cos + y * sin)) * cos, y + (along - (x * cos + y * sin)) * sin];
        return px >= -size && px <= width + size && py >= -size && py <= height + size;
      },
    };
  }
}

function advanceIn(font: FontTraits, glyph: Glyph): number {
  if (font.isVertical) return advanceOf(glyph.vmetric) ?? font.defaultAdvance;
  return typeof glyph.width === 'number' ? glyph.width : 0;
}

/** Whole degrees clockwise; what is hardly turned was scanned so. */
function roundAngle(radians: number): number {
  const degrees = Math.round((radians * 180) / Math.PI);
  return Math.abs(degrees) <= 1 ? 0 : degrees === -180 ? 180 : degrees;
}
