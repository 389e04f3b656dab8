import { matrixOf, type Matrix } from './matrix.js';

/** What the layout has to know of a font. */
export interface FontTraits {
  readonly weight: number;
  readonly isMono: boolean;
  /** Written from top to bottom. */
  readonly isVertical: boolean;
  /** Units of a glyph's width in those of the text. */
  readonly widthScale: number;
  /** Height of its letters for a size of 1. */
  readonly sizeScale: number;
  /** Downward advance of glyphs that have none of their own, in units of a glyph. */
  readonly defaultAdvance: number;
}

const unknownFont: FontTraits = {
  weight: 0,
  isMono: false,
  isVertical: false,
  widthScale: 0.001,
  sizeScale: 1,
  defaultAdvance: 1_000,
};

const boldName = /bold|black|heavy|[-_ ]medi(?:um)?\b|-bd\b|demi|(?:^|\+)(?:cm|ec|sf)[a-z]*bx|bx\d+$/i;
/** Chinese and Japanese documents set headings in these, not in bold. */
const heavyName = /(?:^|[^a-z])(?:sim|st|fz)?hei(?:ti)?(?:[^a-z]|$)|黑体|gothic-?(?:bbb|mb)/i;
const monoName = /courier|mono(?:space)?(?:[^a-z]|$)|consol|menlo|typewriter|(?:^|\+)(?:cm|ec)tt/i;

/** A font as the library describes it. */
interface DescribedFont {
  readonly name?: unknown;
  readonly bold?: unknown;
  readonly black?: unknown;
  readonly fallbackName?: unknown;
  readonly vertical?: unknown;
  readonly fontMatrix?: unknown;
  readonly bbox?: unknown;
  readonly isType3Font?: unknown;
  readonly defaultVMetrics?: unknown;
}

/** The traits of a font, by what the library says of it; usual ones for a font that could not be loaded. */
export function fontTraits(described: unknown): FontTraits {
  if (typeof described !== 'object' || described === null) return unknownFont;
  const font: DescribedFont = described;
  const matrix = matrixOf(font.fontMatrix);
  const name = typeof font.name === 'string' ? font.name : '';
  const isBold = font.bold === true || font.black === true || boldName.test(name);
  return {
    weight: isBold ? 2 : heavyName.test(name) ? 1 : 0,
    isMono: font.fallbackName === 'monospace' || monoName.test(name),
    isVertical: font.vertical === true,
    widthScale: matrix?.[0] || unknownFont.widthScale,
    sizeScale: font.isType3Font === true && matrix ? drawnHeight(matrix, font.bbox) : 1,
    defaultAdvance: advanceOf(font.defaultVMetrics) ?? unknownFont.defaultAdvance,
  };
}

/** The downward advance in the metrics of a vertical glyph or font. */
export function advanceOf(metrics: unknown): number | undefined {
  const advance: unknown = Array.isArray(metrics) ? metrics[0] : undefined;
  return typeof advance === 'number' && Number.isFinite(advance) && advance !== 0 ? -advance : undefined;
}

/** Fonts whose letters are drawings have units of their own; their box tells how tall a letter is. */
function drawnHeight(matrix: Matrix, box: unknown): number {
  const [, low, , high] = Array.isArray(box) ? (box as unknown[]) : [];
  const height = typeof low === 'number' && typeof high === 'number' ? Math.abs(high - low) : 0;
  const scale = Math.abs(matrix[3]);
  return height > 0 ? height * scale : scale * 1_000 <= 2 ? 1 : Math.min(scale * 30, 1);
}
