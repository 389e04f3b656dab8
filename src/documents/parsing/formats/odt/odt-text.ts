import type { XmlAttributes } from '../../containers/xml-events.js';
import type { KeptPieces } from '../word-processing/piece-target.js';

/** Text of a paragraph, or of anything else that is text. */
export class OdtText {
  private readonly parts: string[] = [];
  private endsBlank = true;

  /** Text as it stands in XML, where white space is drawn together. */
  write(text: string): void {
    const drawn = text.replace(/[ \t\r\n]+/g, ' ');
    this.writeShown(this.endsBlank ? drawn.replace(/^ /, '') : drawn);
  }

  /** Text as it is shown. */
  writeShown(text: string): void {
    if (text === '') return;
    this.parts.push(text.replaceAll('\u00ad', ''));
    this.endsBlank = text.endsWith(' ') || text.endsWith('\n');
  }

  get text(): string {
    return this.parts.join('');
  }
}

/** A paragraph while it is read. */
export class OdtParagraph extends OdtText {
  /** The number before it, as the document was last shown. */
  number = '';
  isHidden = false;
  /** Whether the spans that are open hide their text; undefined where they say nothing of it. */
  readonly spans: (boolean | undefined)[] = [];
  /** Text boxes that are fixed to it. */
  readonly boxes: KeptPieces[] = [];

  /** @param heading attributes of it, if it is one. */
  constructor(
    readonly style: string | undefined,
    readonly heading?: XmlAttributes,
  ) {
    super();
  }

  /** Whether what stands here is hidden. */
  get hidesText(): boolean {
    return this.spans.findLast((hides) => hides !== undefined) ?? this.isHidden;
  }
}
