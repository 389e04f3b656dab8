import type { TextPiece, TurnedText } from './page-content.js';

/** How the glyphs that follow are set. */
export interface GlyphSetting {
  readonly angle: number;
  readonly size: number;
  readonly weight: number;
  readonly isMono: boolean;
  readonly isArtifact: boolean;
  /** Distance that was asked for between letters, beside their widths. */
  readonly tracking: number;
}

/** Gaps in sizes of the font. Narrower ones are kerning, wider ones part pieces. */
const wordGap = 0.12;
const pieceGap = 0.7;
/** Chinese and Japanese letters stand apart when a line is filled. */
const wideLetterGap = 0.5;
/** How far letters reach from their baseline, in sizes, whatever the font. */
const ascent = 0.75;
const descent = 0.25;
const wideLetter = /[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef]|\p{Script=Han}/u;
const mark = /^\p{M}+$/u;

interface OpenPiece {
  readonly setting: GlyphSetting;
  readonly left: number;
  readonly baseline: number;
  right: number;
  text: string;
  /** The text without the blanks that only gaps stand for. */
  tight: string;
  gaps: number;
  letters: number;
  /** Widths of its letters together. */
  inked: number;
}

/** Joins glyphs to pieces in the order in which they are painted. */
export class PieceJoiner {
  private readonly turned = new Map<number, TextPiece[]>();
  /** Pieces by their text: what is painted twice, to look bold or to cast a shadow, is one text. */
  private readonly painted = new Map<string, TextPiece[]>();
  private open: OpenPiece | undefined;
  private blank = false;
  private order = 0;

  /** White space was painted. */
  space(): void {
    this.blank = true;
  }

  glyph(text: string, left: number, right: number, baseline: number, setting: GlyphSetting): void {
    const { open } = this;
    if (open && this.continues(open, text, left, baseline, setting)) {
      this.append(open, text, left);
      open.inked += right - left;
      open.right = Math.max(open.right, right);
    } else {
      this.close();
      this.open = { setting, left, right, baseline, text, tight: text, gaps: 0, letters: 1, inked: right - left };
    }
    this.blank = false;
  }

  /** All pieces, by their direction; the upright ones first. */
  finish(): TurnedText[] {
    this.close();
    return [...this.turned]
      .map(([angle, pieces]) => ({ angle, pieces }))
      .sort((a, b) => Math.abs(a.angle) - Math.abs(b.angle));
  }

  private continues(open: OpenPiece, text: string, left: number, baseline: number, setting: GlyphSetting): boolean {
    const { setting: set } = open;
    if (set !== setting && !isSameSetting(set, setting)) return false;
    if (Math.abs(baseline - open.baseline) > 0.08 * set.size) return false;
    const gap = left - open.right;
    return mark.test(text) ? gap > -1.5 * set.size && gap < pieceGap * set.size : this.isNear(gap, set);
  }

  private isNear(gap: number, { size, tracking }: GlyphSetting): boolean {
    return gap > -0.3 * size + Math.min(tracking, 0) && gap < pieceGap * size + Math.max(tracking, 0);
  }

  private append(open: OpenPiece, text: string, left: number): void {
    const { size, tracking } = open.setting;
    const gap = left - open.right - Math.max(tracking, 0);
    const isWide = gap > wordGap * size && wideLetter.test(text) && wideLetter.test(open.text.slice(-1));
    const isGap = !mark.test(text) && gap > (isWide ? wideLetterGap : wordGap) * size;
    if (this.blank) open.tight += ' ';
    if (this.blank || isGap) open.text += ' ';
    if (isGap && !this.blank) open.gaps += 1;
    open.text += text;
    open.tight += text;
    open.letters += 1;
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    const { setting, left, right, baseline, gaps, letters, inked } = open;
    const { angle, size, weight, isArtifact } = setting;
    // A gap after each letter is tracking, too.
    const text = gaps >= 3 && gaps >= 0.8 * (letters - 1) ? open.tight : open.text;
    const isMono = setting.isMono && isTypewritten(inked / letters / size);
    const set = { size, weight, isMono, isArtifact, order: this.order };
    const [top, bottom] = [baseline - ascent * size, baseline + descent * size];
    const piece: TextPiece = { text, left, right, top, bottom, baseline, ...set };
    if (this.isPainted(piece, angle)) return;
    this.order += 1;
    const pieces = this.turned.get(angle);
    if (pieces) pieces.push(piece);
    else this.turned.set(angle, [piece]);
  }

  private isPainted(piece: TextPiece, angle: number): boolean {
    const key = `${angle} ${piece.text}`;
    const same = this.painted.get(key);
    if (!same) {
      this.painted.set(key, [piece]);
      return false;
    }
    const near = 0.2 * piece.size;
    // Only the last ones: a page of nothing but the same letter must not cost its square.
    for (const other of same.slice(-20)) {
      if (Math.abs(other.left - piece.left) < near && Math.abs(other.baseline - piece.baseline) < near) return true;
    }
    same.push(piece);
    return false;
  }
}

/** Fonts of Chinese have letters of even width, too, but wider ones than those of code. */
function isTypewritten(width: number): boolean {
  return width > 0.45 && width < 0.75;
}

function isSameSetting(a: GlyphSetting, b: GlyphSetting): boolean {
  return (
    a.angle === b.angle &&
    a.weight === b.weight &&
    a.isMono === b.isMono &&
    a.isArtifact === b.isArtifact &&
    Math.abs(a.size - b.size) < 0.02 * a.size
  );
}
