/** Where something lies. Lengths are points. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Text that was painted in one go, on one line, in one font. Its frame is the page as it is seen, turned so that
 * the text is upright: from left to right, baselines downwards. Right-to-left text reads backwards here.
 */
export interface TextPiece extends Box {
  readonly text: string;
  readonly baseline: number;
  readonly size: number;
  /** 0 for the usual weight, 1 for fonts that are heavy in nature, 2 for bold. */
  readonly weight: number;
  readonly isMono: boolean;
  /** Marked by the maker of the file as no part of its content: running heads, page numbers. */
  readonly isArtifact: boolean;
  /** Its place among all that was painted on the page. */
  readonly order: number;
}

/** A straight line, upright or level; thin boxes count as lines. */
export interface Rule {
  /** Its place across its direction. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Lines that were drawn on a page, as it is seen. */
export interface PageRules {
  readonly level: readonly Rule[];
  readonly upright: readonly Rule[];
  /** Small filled shapes, such as bullets are. */
  readonly dots: readonly Box[];
}

/** Text that runs in one direction, in the frame of that direction. */
export interface TurnedText {
  /** Degrees from the upright direction, clockwise. */
  readonly angle: number;
  readonly pieces: readonly TextPiece[];
}

/** What a page shows. */
export interface PageContent {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly TurnedText[];
  readonly rules: PageRules;
  /** Characters whose font does not say what they mean. */
  readonly unknownCharacters: number;
  /** Characters in layers that are switched off. */
  readonly hiddenCharacters: number;
}
